import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { formatCount } from '../../format/numbers.ts';
import type { Stats } from './dashboard-api.ts';

interface Card {
  readonly figure: 'totalLeads' | 'activeProjects' | 'teamMembers' | 'conversionRate';
  readonly label: string;
  /** Fixed text (docs/PRODUCT.md, "Dashboard"). */
  readonly growth: string;
  readonly format: (value: number) => string;
}

const cards: readonly Card[] = [
  { figure: 'totalLeads', label: 'Total Leads', growth: '+12%', format: formatCount },
  { figure: 'activeProjects', label: 'Active Projects', growth: '+5%', format: formatCount },
  { figure: 'teamMembers', label: 'Team Members', growth: '0%', format: formatCount },
  { figure: 'conversionRate', label: 'Conversion Rate', growth: '+8%', format: (value) => `${formatCount(value)}%` },
];

const rule = '1px solid var(--dt-palette-divider)';

/** The four figures of the dashboard, or placeholders while they load. */
export function StatCards({ stats }: { readonly stats: Stats | undefined }) {
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
        margin: 0,
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
      {cards.map(({ figure, label, growth, format }) => (
        <div key={figure}>
          <Typography component="dt" variant="body2" sx={{ color: 'text.secondary' }}>
            {label}
          </Typography>
          <Box
            component="dd"
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '4px 12px', margin: 0 }}
          >
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
                color: growth.startsWith('+') ? 'secondary.main' : 'text.secondary',
              }}
            >
              {growth}
            </Typography>
          </Box>
        </div>
      ))}
    </Box>
  );
}
