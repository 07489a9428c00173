import OutlinedInput from '@mui/material/OutlinedInput';
import type { HTMLInputAutoCompleteAttribute, HTMLInputTypeAttribute, InputHTMLAttributes } from 'react';
import { shortWindow, shortWindowQuery } from '../styles/layout-constants.ts';
import { Labelled } from './Labelled.tsx';

interface TextFieldProps {
  readonly name: string;
  readonly label?: string;
  readonly hint?: string;
  readonly type?: HTMLInputTypeAttribute;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
  readonly inputMode?: InputHTMLAttributes<HTMLInputElement>['inputMode'];
  /** More than one makes it a text area. */
  readonly rows?: number;
  /** Of the only field of a dialog: the visitor opened it to type here. Not where it would scroll the title away. */
  readonly hasFirstFocus?: boolean;
}

/** A text area that grows with its text by style alone: the painted page has its height already. */
const growing = (rows: number) => ({
  '& textarea': {
    display: 'block',
    resize: 'vertical',
    fieldSizing: 'content',
    // In height only: a long word would widen the form, and the page with it.
    contain: 'inline-size',
    minHeight: `${rows * 1.5}em`,
    // Beside it there must be room for its message.
    [shortWindow]: { minHeight: '3em' },
  },
});

/** Typed text. Its length is left to the rule: a cut-off paste would lose what was typed. */
export function TextField(props: TextFieldProps) {
  const { name, label, hint, type = 'text', autoComplete, inputMode, rows = 1, hasFirstFocus = false } = props;
  return (
    <Labelled name={name} label={label} hint={hint}>
      {({ describedBy, ...wiring }) => (
        <OutlinedInput
          {...wiring}
          {...(rows > 1 ? { inputComponent: 'textarea', sx: growing(rows) } : { type })}
          autoComplete={autoComplete ?? 'off'}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- where the focus of a dialog belongs (ARIA practices)
          autoFocus={hasFirstFocus && !matchMedia(shortWindowQuery).matches}
          inputProps={{
            'aria-describedby': describedBy,
            inputMode,
            ...(rows > 1 && { rows }),
            // As the text itself: visitors write Arabic, too. Addresses and numbers are written one way.
            ...(type === 'text' && { dir: 'auto' }),
            // Phones would begin it with a capital and mend it.
            ...(autoComplete === 'username' && { autoCapitalize: 'none', spellCheck: false }),
          }}
        />
      )}
    </Labelled>
  );
}
