import { useEffect, useLayoutEffect } from 'react';
import { useFormState } from 'react-final-form';
import { useModalHold } from '../../ui/modal-hold.ts';

interface UnsavedChangesProps {
  readonly onDirty: (isDirty: boolean) => void;
}

/** Reports the form's state to the dialog, and warns before the browser leaves the page with unsaved changes. */
export function UnsavedChanges({ onDirty }: UnsavedChangesProps) {
  const { dirty = false, submitting = false } = useFormState({ subscription: { dirty: true, submitting: true } });
  useModalHold({ isBusy: submitting });
  // A layout effect, because an Escape directly after a keystroke must already find the form dirty.
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
