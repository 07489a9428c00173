import { foldedLines } from '@dune-tide/domain/shown-lines';
import Link from '@mui/material/Link';
import { type ComponentType, useState } from 'react';

interface FoldedTextProps {
  readonly text: string;
  /** Renders a part of the text. */
  readonly Text?: ComponentType<{ readonly text: string }>;
}

const Plain = ({ text }: { readonly text: string }) => text;

/**
 * A text of a visitor or a colleague. A long one is folded, and blank lines in a row are reduced to two (docs/PRODUCT.md,
 * "Lead details"). The element around it keeps line breaks.
 */
export function FoldedText({ text, Text = Plain }: FoldedTextProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { first, rest, count } = foldedLines(text);
  if (rest === '') return <Text text={first} />;
  return (
    <>
      <Text text={first} />
      {isOpen && '\n'}
      {isOpen && <Text text={rest} />}
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
