import type { FieldMetaState } from 'react-final-form';

/** What of a field's state decides on its message. */
export const messageSubscription = {
  touched: true,
  error: true,
  submitError: true,
  dirtySinceLastSubmit: true,
} as const;

/**
 * The message beside a field: once the visitor has left it or tried to send, its broken rule, or what the server said
 * of it until it is changed.
 */
export function fieldMessage(meta: FieldMetaState<string>): string | undefined {
  const problem: unknown = meta.error ?? (meta.dirtySinceLastSubmit ? undefined : meta.submitError);
  return meta.touched && typeof problem === 'string' ? problem : undefined;
}
