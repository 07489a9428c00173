import OutlinedInput from '@mui/material/OutlinedInput';
import { Labelled } from '../form/Labelled.tsx';

interface CodeFieldProps {
  readonly label: string;
  /** A recovery code has letters; a code of an app has digits only. */
  readonly isRecoveryCode?: boolean;
  readonly hasFirstFocus?: boolean;
}

/** The field of a code of the second factor. Phones and password managers can fill it in. */
export function CodeField({ label, isRecoveryCode = false, hasFirstFocus = false }: CodeFieldProps) {
  return (
    <Labelled name="code" label={label}>
      {({ describedBy, ...wiring }) => (
        <OutlinedInput
          {...wiring}
          type="text"
          autoComplete={isRecoveryCode ? 'off' : 'one-time-code'}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of a step that has just appeared
          autoFocus={hasFirstFocus}
          inputProps={{
            'aria-describedby': describedBy,
            inputMode: isRecoveryCode ? 'text' : 'numeric',
            autoCapitalize: 'none',
            spellCheck: false,
            dir: 'ltr',
          }}
        />
      )}
    </Labelled>
  );
}
