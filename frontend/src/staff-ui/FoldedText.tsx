import { foldedLines } from '@dune-tide/domain/shown-lines';
import Link from '@mui/material/Link';
import { useState } from 'react';

/**
 * A text of a visitor or a colleague. A long one is folded, and blank lines in a row are reduced to two (docs/PRODUCT.md,
 * "Lead details"). The element around it keeps line breaks.
 */
export function FoldedText({ text }: { readonly text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const { first, rest, count } = foldedLines(text);
  if (rest === '') return first;
  return (
    <>
      {first}
      {isOpen && `\n${rest}`}
      {'\n'}
      <Link
        component="button"
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        sx={{ displayPrint: 'none' }}
      >
        {isOpen ? 'Show less' : `Show all ${count} lines`}
      </Link>
    </>
  );
}
