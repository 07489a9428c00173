import type { KeyboardEvent } from 'react';
import { requestSubmit } from '../form/request-submit.ts';

/** Submits the form of a field with Ctrl+Enter or Cmd+Enter. */
export function submitWithEnter({ key, ctrlKey, metaKey, nativeEvent, target }: KeyboardEvent): void {
  if (key !== 'Enter' || !(ctrlKey || metaKey) || nativeEvent.isComposing) return;
  const form = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement ? target.form : null;
  if (form) requestSubmit(form);
}
