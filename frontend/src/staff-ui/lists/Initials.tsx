import { styled } from '@mui/material/styles';
import { forcedColors } from '../../styles/forced-colors.ts';

const Circle = styled('span')({
  display: 'inline-grid',
  placeItems: 'center',
  flexShrink: 0,
  minWidth: '1.5rem',
  height: '1.5rem',
  paddingInline: '0.1875rem',
  borderRadius: '0.75rem',
  background: 'color-mix(in srgb, var(--dt-palette-text-primary) 12%, transparent)',
  fontSize: '0.6875rem',
  fontWeight: 600,
  lineHeight: 1,
  [forcedColors]: { outline: '1px solid', outlineOffset: -1 },
  // Paper has no titles to point at.
  '@media print': { background: 'none', fontSize: 0, '&::after': { content: 'attr(title)', fontSize: '0.75rem' } },
});

/** Returns the first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word = '') => /^./u.exec(word)?.[0] ?? '')
    .join('')
    .toUpperCase();
}

interface InitialsProps {
  readonly name: string;
  /** The relation of the person to the entry, e.g. "Owner". */
  readonly relation: string;
}

/** The initials of a person; the full name is its label. */
export function Initials({ name, relation }: InitialsProps) {
  const label = `${relation}: ${name}`;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an image element has no text
    <Circle role="img" aria-label={label} title={label}>
      {initialsOf(name)}
    </Circle>
  );
}
