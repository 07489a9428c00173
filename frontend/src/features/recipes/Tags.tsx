import { appearanceOf } from '@dune-tide/domain/forms/appearance';
import { styled } from '@mui/material/styles';

const List = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 6,
  marginTop: 8,
});

const Tag = styled('li')({
  paddingInline: 8,
  borderRadius: 4,
  border: '1px solid var(--dt-palette-divider)',
  color: 'var(--dt-palette-text-secondary)',
  fontSize: '0.8125rem',
  fontWeight: 400,
  lineHeight: '1.375rem',
  overflowWrap: 'anywhere',
});

const Rest = styled('li')({
  color: 'var(--dt-palette-text-secondary)',
  fontSize: '0.8125rem',
  fontWeight: 400,
  lineHeight: '1.5rem',
});

interface TagsProps {
  readonly label: string;
  readonly texts: readonly string[];
  /** The maximum number of tags; the rest is counted. */
  readonly atMost?: number;
}

const looksLike = (one: string, other: string): boolean => appearanceOf(one) === appearanceOf(other);

/** Short texts side by side, each once; renders nothing for an empty list. */
export function Tags({ label, texts, atMost = Number.POSITIVE_INFINITY }: TagsProps) {
  if (texts.length === 0) return null;
  const different = texts.filter((text, index) => texts.findIndex((other) => looksLike(other, text)) === index);
  const rest = different.slice(atMost);
  return (
    <List aria-label={label}>
      {different.slice(0, atMost).map((text) => (
        <Tag key={text} dir="auto">
          {text}
        </Tag>
      ))}
      {rest.length > 0 && <Rest title={rest.join(', ')}>{`${rest.length} more`}</Rest>}
    </List>
  );
}
