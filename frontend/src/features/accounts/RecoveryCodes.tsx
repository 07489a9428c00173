import { brand } from '@dune-tide/domain/brand';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { toasts } from '../../toasts/toasts.ts';

const List = styled('ul')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(18rem, 100%), 1fr))',
  gap: '6px 16px',
  margin: '16px 0 20px',
  padding: '14px 12px',
  border: '1px solid var(--dt-palette-divider)',
  borderRadius: 8,
  fontFamily: 'monospace',
  // A code of 30 characters fits into one line of a phone.
  fontSize: 'clamp(0.75rem, 3.5vw, 0.9375rem)',
});

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly doneLabel: string;
  readonly onDone: () => void;
}

/** Shows new recovery codes, which the server does not return again. */
export function RecoveryCodes({ codes, doneLabel, onDone }: RecoveryCodesProps) {
  const explanation = useRef<HTMLParagraphElement>(null);
  // The field of the step before had the focus.
  useEffect(() => explanation.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success('The recovery codes were copied.');
    } catch {
      // The browser may forbid it, and pages without TLS have no clipboard.
      toasts.error('Could not copy the codes. Please select and copy them.');
    }
  };
  return (
    <>
      <Typography ref={explanation} tabIndex={-1} sx={{ outline: 0 }}>
        Each code replaces your second factor once, for example if you lose your phone. Keep them in a safe place: they
        are shown only now.
      </Typography>
      <List aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </List>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.25, justifyContent: 'flex-end' }}>
        <Button variant="outlined" onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          variant="outlined"
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={`${brand.name} recovery codes.txt`}
        >
          Download
        </Button>
        <Button variant="contained" onClick={onDone}>
          {doneLabel}
        </Button>
      </Box>
    </>
  );
}
