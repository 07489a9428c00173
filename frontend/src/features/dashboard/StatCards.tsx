import { figurePeriods } from '@dune-tide/domain/limits';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { formatCount } from '../../format/numbers.ts';
import type { Stats, Trends } from './dashboard-api.ts';

interface Card {
  readonly figure: 'totalLeads' | 'activeProjects' | 'teamMembers' | 'conversionRate';
  readonly label: string;
  /** Fixed text, shown until the growth is known from real data (docs/PRODUCT.md, "Dashboard"). */
  readonly growth: string;
  readonly format: (value: number) => string;
}

const cards: readonly Card[] = [
  { figure: 'totalLeads', label: 'Total Leads', growth: '+12%', format: formatCount },
  { figure: 'activeProjects', label: 'Active Projects', growth: '+5%', format: formatCount },
  { figure: 'teamMembers', label: 'Team Members', growth: '0%', format: formatCount },
  { figure: 'conversionRate', label: 'Conversion Rate', growth: '+8%', format: (value) => `${formatCount(value)}%` },
];

const growthMeaning = `The last ${figurePeriods.growthDays} days compared with the ${figurePeriods.growthDays} days before`;

const rule = '1px solid var(--dt-palette-divider)';

const percents = new Intl.NumberFormat('en-US', {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 1,
});

interface StatCardsProps {
  /** Undefined while they load. */
  readonly stats: Stats | undefined;
  /** Null for the fixed texts; undefined while it loads, or if it could not be loaded. */
  readonly growth: Trends['growth'] | undefined;
  readonly isGrowthComing: boolean;
}

/** The four figures of the dashboard with their growth, or placeholders while they load. */
export function StatCards({ stats, growth: real, isGrowthComing }: StatCardsProps) {
  const growthOf = ({ figure, growth }: Card): string | undefined => {
    if (real === null) return growth;
    if (real === undefined) return undefined;
    const change = real[figure];
    // A figure that was 0 before cannot be compared.
    return change === null ? '–' : percents.format(change / 100);
  };
  return (
    <Box
      component="dl"
      aria-busy={stats === undefined}
      sx={{
        display: 'grid',
        gridTemplateColumns: {
          xs: 'repeat(auto-fit, minmax(min(100%, max(8.5rem, 40%)), 1fr))',
          lg: 'repeat(4, 1fr)',
        },
        borderRadius: 2,
        border: rule,
        bgcolor: 'background.paper',
        overflow: 'hidden',
        '& > *': {
          padding: 'clamp(1rem, 2vw, 1.5rem)',
          // Lines between the figures. Those at the outer edges are clipped.
          borderTop: rule,
          borderLeft: rule,
          margin: '-1px 0 0 -1px',
        },
      }}
    >
      {cards.map((card) => {
        const { figure, label, format } = card;
        const growth = growthOf(card);
        return (
          <div key={figure}>
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
              {label}
            </Typography>
            <Box component="dd" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '4px 12px' }}>
              <Typography
                component="span"
                variant="h1"
                sx={{ fontSize: 'clamp(1.75rem, 2.6vw, 2.5rem)', marginTop: 1, fontVariantNumeric: 'tabular-nums' }}
              >
                {stats ? format(stats[figure]) : <Skeleton width="3.5ch" />}
              </Typography>
              <Typography
                component="span"
                variant="body2"
                sx={{
                  fontWeight: 600,
                  fontVariantNumeric: 'tabular-nums',
                  color: growth?.startsWith('+') ? 'secondary.main' : 'text.secondary',
                }}
                title={real && growth !== undefined ? growthMeaning : undefined}
              >
                {growth ?? (isGrowthComing && <Skeleton width="3ch" />)}
              </Typography>
            </Box>
          </div>
        );
      })}
    </Box>
  );
}
