import { styled } from '@mui/material/styles';

const List = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 6,
  margin: '8px 0 0',
  padding: 0,
  listStyle: 'none',
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

interface TagsProps {
  readonly label: string;
  readonly texts: readonly string[];
}

/** Short texts beside one another; nothing when there are none. */
export function Tags({ label, texts }: TagsProps) {
  if (texts.length === 0) return null;
  return (
    <List aria-label={label}>
      {[...new Set(texts)].map((text) => (
        <Tag key={text} dir="auto">
          {text}
        </Tag>
      ))}
    </List>
  );
}
