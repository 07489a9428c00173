import type { FieldMetaState } from 'react-final-form';

/** What of a field's state decides on its message. */
export const messageSubscription = {
  touched: true,
  modified: true,
  dirty: true,
  error: true,
  submitError: true,
  dirtySinceLastSubmit: true,
} as const;

/**
 * Whether leaving a field counts, so that its rule may speak: whoever only passes it with the Tab key has done nothing
 * wrong yet.
 */
export function isChanged({ modified, dirty }: FieldMetaState<string>): boolean {
  // What a draft brings back before the field is there makes it dirty, not modified.
  return modified === true || dirty === true;
}

/**
 * The message beside a field: once the visitor has changed and left it or tried to send, its broken rule, or what the
 * server said of it until it is changed.
 */
export function fieldMessage(meta: FieldMetaState<string>): string | undefined {
  const problem: unknown = meta.error ?? (meta.dirtySinceLastSubmit ? undefined : meta.submitError);
  return meta.touched && typeof problem === 'string' ? problem : undefined;
}
