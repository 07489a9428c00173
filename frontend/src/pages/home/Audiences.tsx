import { home } from '@dune-tide/domain/content/home';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Band, Columns } from '../../ui/Band.tsx';

const Group = styled('li')(({ theme }) => ({
  display: 'grid',
  gap: '0.5rem 2rem',
  alignItems: 'baseline',
  paddingBlock: 'clamp(1.25rem, 2.2vw, 2rem)',
  borderTop: '1px solid var(--dt-palette-divider)',
  '&:last-of-type': { borderBottom: '1px solid var(--dt-palette-divider)' },
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
}));

/** The five kinds of organizations that the studio works for. */
export function Audiences() {
  const { heading, introduction, groups } = home.audiences;
  return (
    <Band tone="sand" labelledBy="audiences-heading">
      <Columns>
        <Box sx={{ gridColumn: { md: '1 / span 4' } }}>
          <Box sx={{ position: { md: 'sticky' }, top: 120 }}>
            <Typography id="audiences-heading" variant="h2">
              {heading}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 2.5, color: 'text.secondary', maxWidth: '24em' }}>
              {introduction}
            </Typography>
          </Box>
        </Box>
        <Box
          component="ul"
          sx={{ gridColumn: { md: '6 / -1' }, margin: 0, marginTop: { xs: 5, md: 0 }, padding: 0, listStyle: 'none' }}
        >
          {groups.map((group) => (
            <Group key={group.title}>
              <Typography variant="h3">{group.title}</Typography>
              <Typography sx={{ color: 'text.secondary', maxWidth: '30em' }}>{group.description}</Typography>
            </Group>
          ))}
        </Box>
      </Columns>
    </Band>
  );
}
