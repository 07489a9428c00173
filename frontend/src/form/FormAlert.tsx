import { FormNote } from './FormNote.tsx';

interface FormAlertProps {
  readonly text: string | undefined;
  /** Whether nothing of the form follows; what follows is else kept at a distance. */
  readonly isLast?: boolean;
  /** Whether something else announces it. */
  readonly isSilent?: boolean;
}

/** What went wrong with a form as a whole, within it; announced when it appears. */
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
