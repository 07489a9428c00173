import { figurePeriods } from '@dune-tide/domain/limits';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { formatMinutes } from '../../format/durations.ts';
import { formatCount } from '../../format/numbers.ts';
import { leadsSearchPath } from '../../routing/staff-paths.ts';
import { type Tone, toneColours } from '../../staff-ui/lists/StatusChip.tsx';
import { forcedColors } from '../../styles/forced-colors.ts';
import type { Stats } from './dashboard-api.ts';

/** The numbers that are shown as links. They may be newer than the other figures. */
export type Unanswered = Pick<Stats, 'needsAnswer' | 'unowned'>;

interface NeedsAnswerProps {
  /** Undefined while they load. */
  readonly unanswered: Unanswered | undefined;
  /** Undefined while they load. */
  readonly stats: Stats | undefined;
}

interface Entry {
  readonly label: string;
  readonly path: string;
  readonly tone: Tone;
  readonly count: (unanswered: Unanswered) => number;
}

const everyUnanswered = ['overdue', 'soon', 'waiting'] as const;

const entries: readonly Entry[] = [
  {
    label: 'Overdue',
    path: leadsSearchPath({ response: ['overdue'] }),
    tone: 'alert',
    count: ({ needsAnswer }) => needsAnswer.overdue,
  },
  {
    label: 'Due soon',
    path: leadsSearchPath({ response: ['soon'] }),
    tone: 'hot',
    count: ({ needsAnswer }) => needsAnswer.soon,
  },
  {
    label: 'Waiting',
    path: leadsSearchPath({ response: ['waiting'] }),
    tone: 'cool',
    count: ({ needsAnswer }) => needsAnswer.waiting,
  },
  {
    label: 'Unowned',
    path: leadsSearchPath({ response: everyUnanswered, owner: 'none' }),
    tone: 'calm',
    count: ({ unowned }) => unowned,
  },
];

const List = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, max(8.5rem, 40%)), 1fr))',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(4, minmax(0, 1fr))' },
  gap: 12,
}));

const Entrance = styled(RouterLink)({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: '0 10px',
  height: '100%',
  padding: '10px 14px 12px',
  borderRadius: 6,
  border: '1px solid var(--dt-palette-divider)',
  borderTop: '3px solid var(--tone)',
  color: 'inherit',
  textDecoration: 'none',
  '&:hover': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 4%, transparent)' },
  '&:hover > :last-child': { textDecoration: 'underline', textUnderlineOffset: '0.2em' },
  '&[data-none]': { borderTopColor: 'var(--dt-palette-divider)', color: 'var(--dt-palette-text-secondary)' },
  [forcedColors]: { borderColor: 'CanvasText' },
});

/** The numbers of leads that need an answer, as links to them, and how fast leads were answered. */
export function NeedsAnswer({ unanswered, stats }: NeedsAnswerProps) {
  return (
    <Box component="section" aria-labelledby="needs-answer" sx={{ marginTop: 'clamp(1.5rem, 3vw, 2.25rem)' }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'baseline',
          justifyContent: 'space-between',
          gap: '2px 24px',
          marginBottom: 1.25,
        }}
      >
        <Typography id="needs-answer" variant="h2">
          Needs an answer
        </Typography>
        {stats && <AnswerTimes {...stats} />}
      </Box>
      <List>
        {entries.map(({ label, path, tone, count }) => {
          const leads = unanswered && count(unanswered);
          return (
            <li key={label}>
              <Entrance
                to={path}
                data-none={leads === 0 ? '' : undefined}
                style={{ '--tone': toneColours[tone] } as React.CSSProperties}
              >
                <Typography
                  component="span"
                  variant="h1"
                  sx={{ fontSize: '1.625rem', fontVariantNumeric: 'tabular-nums', color: 'inherit' }}
                >
                  {leads === undefined ? <Skeleton width="2ch" /> : formatCount(leads)}
                </Typography>{' '}
                <span>{label}</span>
              </Entrance>
            </li>
          );
        })}
      </List>
    </Box>
  );
}

function AnswerTimes({ onTimeRate, medianAnswerMinutes }: Stats) {
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
      {onTimeRate === null ? (
        `No answer was due in the last ${figurePeriods.onTimeDays} days.`
      ) : (
        <>
          <Strong>{onTimeRate}%</Strong> answered in time
          {medianAnswerMinutes !== null && (
            <>
              , median <Strong>{formatMinutes(medianAnswerMinutes)}</Strong>
            </>
          )}{' '}
          (last {figurePeriods.onTimeDays} days)
        </>
      )}
    </Typography>
  );
}

const Strong = styled('strong')({ fontWeight: 600, color: 'var(--dt-palette-text-primary)' });
