import { FormNote } from './FormNote.tsx';

interface FormAlertProps {
  readonly text: string | undefined;
  /** Whether it is the last element of the form; otherwise it has a margin below. */
  readonly isLast?: boolean;
  /** Whether another element announces it. */
  readonly isSilent?: boolean;
}

/** An error of the whole form, announced when it appears. */
export function FormAlert({ text, isLast = false, isSilent = false }: FormAlertProps) {
  return (
    <div role={isSilent ? undefined : 'alert'}>
      {text !== undefined && (
        <FormNote kind="error" isLast={isLast}>
          {text}
        </FormNote>
      )}
    </div>
  );
}
