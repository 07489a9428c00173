import { home } from '@dune-tide/domain/content/home';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { Band, Columns } from '../../ui/Band.tsx';
import { ArrowRightIcon } from '../../ui/icons.tsx';
import { sticky } from '../../styles/layout-constants.ts';

/** A row whose whole area is the link of its title. */
const Group = styled('li')(({ theme }) => ({
  position: 'relative',
  display: 'grid',
  paddingRight: '2.5rem',
  gap: '0.5rem 2rem',
  alignItems: 'baseline',
  paddingBlock: 'clamp(1.25rem, 2.2vw, 2rem)',
  borderTop: '1px solid var(--dt-palette-divider)',
  '&:last-of-type': { borderBottom: '1px solid var(--dt-palette-divider)' },
  '& a::after': { content: '""', position: 'absolute', inset: 0 },
  '& svg': {
    position: 'absolute',
    right: 0,
    top: 'calc(50% - 0.5em)',
    color: 'var(--dt-palette-primary-main)',
    transition: 'transform 200ms',
  },
  '&:hover svg': { transform: 'translateX(5px)' },
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)' },
}));

/** The five kinds of organizations that the studio works for. */
export function Audiences() {
  const { heading, introduction, groups } = home.audiences;
  return (
    <Band tone="sand" labelledBy="audiences-heading">
      <Columns>
        <Box sx={{ gridColumn: { md: '1 / span 4' } }}>
          <Box sx={{ position: { md: sticky }, top: 120 }}>
            <Typography id="audiences-heading" variant="h2">
              {heading}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 2.5, color: 'text.secondary', maxWidth: '24em' }}>
              {introduction}
            </Typography>
          </Box>
        </Box>
        <Box component="ul" sx={{ gridColumn: { md: '6 / -1' }, marginTop: { xs: 5, md: 0 } }}>
          {groups.map((group) => (
            <Group key={group.title}>
              <Typography variant="h3">
                <Link component={RouterLink} to={group.href} underline="hover">
                  {group.title}
                </Link>
              </Typography>
              <Typography sx={{ color: 'text.secondary', maxWidth: '30em' }}>{group.description}</Typography>
              <ArrowRightIcon />
            </Group>
          ))}
        </Box>
      </Columns>
    </Band>
  );
}
