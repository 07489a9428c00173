import { styled } from '@mui/material/styles';
import { memo } from 'react';
import { asWritten, renderMarkdown } from './render-markdown.ts';

const Body = styled('div')({
  maxWidth: '68ch',
  fontSize: '1rem',
  lineHeight: 1.65,
  overflowWrap: 'anywhere',
  // The font has no italics, so the browser slants it.
  fontSynthesis: 'style',
  '& > :first-of-type': { marginTop: 0 },
  '& > :last-child': { marginBottom: 0 },
  '& p, & ul, & ol, & pre, & blockquote': { margin: '0 0 1em' },
  '& h3, & h4, & h5, & h6': { margin: '1.75em 0 0.6em', fontWeight: 600, lineHeight: 1.3, letterSpacing: '-0.006em' },
  '& h3': { fontSize: '1.1875rem' },
  '& h4': { fontSize: '1.0625rem' },
  '& h5, & h6': { fontSize: '1rem' },
  '& p, & h3, & h4, & h5, & h6': { unicodeBidi: 'plaintext', textAlign: 'start' },
  '& ul, & ol': { listStyle: 'revert' },
  // The marker is on the side where the text of its entry starts, which may differ between entries.
  '& li': { marginBottom: '0.35em', marginInlineStart: '1.5em', textAlign: 'start' },
  '& li > ul, & li > ol': { margin: '0.35em 0 0' },
  '& li::marker': { color: 'var(--dt-palette-text-secondary)', fontVariantNumeric: 'tabular-nums' },
  '& .contains-task-list': { listStyle: 'none' },
  '& .task-list-item': { marginInlineStart: '0.25em' },
  '& blockquote': {
    paddingInlineStart: '1.1em',
    borderInlineStart: '3px solid var(--dt-palette-secondary-main)',
    color: 'var(--dt-palette-text-secondary)',
  },
  '& code': {
    padding: '0.1em 0.35em',
    borderRadius: 4,
    background: 'color-mix(in srgb, var(--dt-palette-text-primary) 8%, transparent)',
    fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    fontSize: '0.875em',
  },
  '& pre': {
    padding: '0.9em 1.1em',
    borderRadius: 6,
    background: 'color-mix(in srgb, var(--dt-palette-text-primary) 7%, transparent)',
    whiteSpace: 'pre-wrap',
    lineHeight: 1.55,
    '& code': { padding: 0, background: 'none' },
  },
  '& .table': { margin: '0 0 1em', overflowX: 'auto', '@media print': { overflow: 'visible' } },
  '& table': { width: '100%', borderCollapse: 'collapse', fontSize: '0.9375rem' },
  '& th, & td': {
    padding: '0.45em 0.75em',
    border: '1px solid var(--dt-palette-divider)',
    textAlign: 'start',
    verticalAlign: 'top',
    overflowWrap: 'break-word',
  },
  '& hr': { margin: '2em 0', border: 0, borderTop: '1px solid var(--dt-palette-divider)' },
});

interface InstructionsProps {
  /** Markdown from any staff member. */
  readonly text: string;
  /** Whether it can be parsed as Markdown fast enough. */
  readonly isReadable: boolean;
}

/** Renders instructions. */
const Instructions = memo(function Instructions({ text, isReadable }: InstructionsProps) {
  return <Body dir="auto">{isReadable ? renderMarkdown(text) : asWritten(text)}</Body>;
});
export default Instructions;
