import { useEffect, useLayoutEffect } from 'react';
import { useFormState } from 'react-final-form';
import { useModalHold } from '../../ui/modal-hold.ts';

interface UnsavedChangesProps {
  readonly onDirty: (isDirty: boolean) => void;
}

/** Tells the dialog how the form around stands, and the browser that leaving the page would lose something. */
export function UnsavedChanges({ onDirty }: UnsavedChangesProps) {
  const { dirty = false, submitting = false } = useFormState({ subscription: { dirty: true, submitting: true } });
  useModalHold({ isBusy: submitting });
  // In a layout effect: told later, an Escape right behind the last key would meet a dialog that knows nothing of it.
  useLayoutEffect(() => {
    onDirty(dirty);
    return () => onDirty(false);
  }, [onDirty, dirty]);
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  return null;
}
