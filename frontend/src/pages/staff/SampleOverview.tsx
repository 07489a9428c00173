import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Urgency } from '../../features/leads/lead-columns.tsx';
import { sampleActivity, sampleTasks } from './samples.ts';

const List = styled('ul')({ margin: 0, padding: 0, listStyle: 'none' });

const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  columnGap: 16,
  paddingBlock: 11,
  borderTop: '1px solid var(--dt-palette-divider)',
});

/** The first tab of the dashboard: static samples (docs/PRODUCT.md, "Dashboard"). */
export function SampleOverview() {
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { lg: '1fr 1fr' }, columnGap: 6, rowGap: 4 }}>
      <Sample id="recent-activity" heading="Recent Activity">
        {sampleActivity.map(({ what, about, when }) => (
          <Item key={what}>
            <Entry what={what} about={about} />
            <Aside>{when}</Aside>
          </Item>
        ))}
      </Sample>
      <Sample id="upcoming-tasks" heading="Upcoming Tasks">
        {sampleTasks.map(({ what, about, due, priority }) => (
          <Item key={what}>
            <Entry what={what} about={about} />
            <Box sx={{ textAlign: 'right' }}>
              <Urgency urgency={priority} />
              <Aside>{due}</Aside>
            </Box>
          </Item>
        ))}
      </Sample>
    </Box>
  );
}

interface SampleProps {
  readonly id: string;
  readonly heading: string;
  readonly children: ReactNode;
}

function Sample({ id, heading, children }: SampleProps) {
  return (
    <section aria-labelledby={id}>
      <Box
        sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 2, marginBottom: 1.25 }}
      >
        <Typography id={id} variant="h2">
          {heading}
        </Typography>
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          Sample entries
        </Typography>
      </Box>
      <List>{children}</List>
    </section>
  );
}

function Entry({ what, about }: { readonly what: string; readonly about: string }) {
  return (
    <div>
      <Typography sx={{ fontWeight: 600 }}>{what}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {about}
      </Typography>
    </div>
  );
}

function Aside({ children }: { readonly children: ReactNode }) {
  return (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
      {children}
    </Typography>
  );
}
