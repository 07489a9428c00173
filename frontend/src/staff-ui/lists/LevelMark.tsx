import { styled } from '@mui/material/styles';
import { forcedColors } from '../../styles/forced-colors.ts';
import { type Tone, toneColours } from './StatusChip.tsx';

const Level = styled('span')({
  display: 'inline-flex',
  alignItems: 'baseline',
  gap: 7,
  maxWidth: '100%',
  fontSize: '0.8125rem',
  fontWeight: 500,
  '& > span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& > svg': { flexShrink: 0, fill: 'var(--tone)', [forcedColors]: { fill: 'CanvasText' } },
  '& > svg > [data-off]': { opacity: 0.25 },
});

const bar = { width: 3, gap: 1.5, lowest: 4, step: 2.5 };

interface LevelMarkProps {
  readonly tone: Tone;
  /** The number of filled bars. */
  readonly level: number;
  /** The number of all bars. */
  readonly of: number;
  readonly label: string;
}

/** A level as text with rising bars. It must not look like a `StatusChip`, because it is not a status. */
export function LevelMark({ tone, level, of, label }: LevelMarkProps) {
  const height = bar.lowest + bar.step * (of - 1);
  const width = of * bar.width + (of - 1) * bar.gap;
  return (
    <Level style={{ '--tone': toneColours[tone] } as React.CSSProperties}>
      <svg aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {Array.from({ length: of }, (_, index) => {
          const own = bar.lowest + bar.step * index;
          return (
            <rect
              key={index}
              x={index * (bar.width + bar.gap)}
              y={height - own}
              width={bar.width}
              height={own}
              rx={1}
              data-off={index < level ? undefined : ''}
            />
          );
        })}
      </svg>
      <span title={label}>{label}</span>
    </Level>
  );
}
