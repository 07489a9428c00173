import { styled } from '@mui/material/styles';

const Lines = styled('svg')({
  display: 'block',
  width: '100%',
  height: 'auto',
  color: 'var(--dt-palette-secondary-main)',
  opacity: 0.45,
});

const wave = (y: number): string => `M0 ${y}c20-12 42-12 62 0s42 12 62 0 42-12 62 0 42 12 62 0`;

/** Three decorative waves below the navigation. */
export function TideLines() {
  return (
    <Lines viewBox="0 0 248 64" aria-hidden="true" focusable="false" fill="none" stroke="currentColor">
      {[16, 34, 52].map((y, line) => (
        <path key={y} d={wave(y)} strokeWidth={1.5} opacity={1 - line * 0.3} />
      ))}
    </Lines>
  );
}
