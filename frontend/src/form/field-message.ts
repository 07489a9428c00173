import type { FieldMetaState } from 'react-final-form';

/** The parts of a field's state that determine its message. */
export const messageSubscription = {
  touched: true,
  modified: true,
  dirty: true,
  error: true,
  submitError: true,
  dirtySinceLastSubmit: true,
} as const;

/**
 * Returns whether leaving a field validates it. A visitor who only passes it with the Tab key has made no error yet.
 */
export function isChanged({ modified, dirty }: FieldMetaState<string>): boolean {
  // A value restored from a draft before the field registers makes it dirty, not modified.
  return modified === true || dirty === true;
}

/**
 * Returns the message of a field, once the visitor has changed and left it or tried to send the form: the rule that it
 * breaks, or the server's error until the field is changed.
 */
export function fieldMessage(meta: FieldMetaState<string>): string | undefined {
  const problem: unknown = meta.error ?? (meta.dirtySinceLastSubmit ? undefined : meta.submitError);
  return meta.touched && typeof problem === 'string' ? problem : undefined;
}
