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
  /**
   * Focuses the field when its dialog opens. Only for dialogs with a single field, and not if it would scroll the title
   * away.
   */
  readonly hasFirstFocus?: boolean;
}

/** Makes a text area grow with its text by CSS alone, so that the prerendered page has the final height. */
const growing = (rows: number) => ({
  '& textarea': {
    display: 'block',
    resize: 'vertical',
    fieldSizing: 'content',
    // In height only: a long word would widen the form and the page.
    contain: 'inline-size',
    minHeight: `${rows * 1.5}em`,
    // Leaves room for the message.
    [shortWindow]: { minHeight: '3em' },
  },
});

/** Grows a text area where browsers do not support `field-sizing`. */
function grow({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  const area = currentTarget.querySelector('textarea');
  if (!area || CSS.supports('field-sizing', 'content') || area.scrollHeight <= area.clientHeight) return;
  area.style.height = `${area.scrollHeight}px`;
}

/** A text input. It has no `maxlength`, because a truncated paste would lose text; the rule limits the length. */
export function TextField(props: TextFieldProps) {
  const { name, label, hint, type = 'text', autoComplete, inputMode, rows = 1, hasFirstFocus = false } = props;
  return (
    <Labelled name={name} label={label} hint={hint}>
      {({ describedBy, ...wiring }) => (
        <OutlinedInput
          {...wiring}
          {...(rows > 1 ? { inputComponent: 'textarea', sx: growing(rows), onInput: grow } : { type })}
          autoComplete={autoComplete ?? 'off'}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- where the focus of a dialog belongs (ARIA practices)
          autoFocus={hasFirstFocus && !matchMedia(shortWindowQuery).matches}
          inputProps={{
            'aria-describedby': describedBy,
            inputMode,
            ...(rows > 1 && { rows }),
            // Follows the direction of the text, because visitors also write Arabic. Addresses and numbers are always
            // left to right.
            ...(type === 'text' && { dir: 'auto' }),
            // Phones would capitalize the first letter and correct the spelling.
            ...(autoComplete === 'username' && { autoCapitalize: 'none', spellCheck: false }),
          }}
        />
      )}
    </Labelled>
  );
}
