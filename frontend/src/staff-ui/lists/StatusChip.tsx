import { styled } from '@mui/material/styles';
import { forcedColors } from '../../styles/forced-colors.ts';

/** The meaning of a state for staff. */
export type Tone = 'alert' | 'hot' | 'warm' | 'cool' | 'done' | 'calm';

/** The colour of each tone, as CSS. */
export const toneColours: Readonly<Record<Tone, string>> = {
  alert: 'var(--dt-palette-error-main)',
  hot: 'var(--dt-palette-primary-main)',
  warm: '#C9952B',
  cool: 'var(--dt-palette-secondary-main)',
  done: '#3F8F4F',
  calm: 'var(--dt-palette-text-disabled)',
};

const Chip = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 7,
  paddingInline: '9px 11px',
  borderRadius: 999,
  fontSize: '0.8125rem',
  lineHeight: '1.625rem',
  fontWeight: 500,
  maxWidth: '100%',
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  background: 'color-mix(in srgb, var(--tone) 14%, transparent)',
  '&::before': { content: '""', flexShrink: 0, width: 7, height: 7, borderRadius: '50%', background: 'var(--tone)' },
  [forcedColors]: { outline: '1px solid', outlineOffset: -1, '&::before': { forcedColorAdjust: 'none' } },
});

interface StatusChipProps {
  readonly tone: Tone;
  readonly label: string;
}

/** A state as text with a colour. The colour alone never carries the meaning. */
export function StatusChip({ tone, label }: StatusChipProps) {
  return (
    <Chip style={{ '--tone': toneColours[tone] } as React.CSSProperties}>
      <span title={label}>{label}</span>
    </Chip>
  );
}
