import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';
import { NavLink } from 'react-router-dom';
import { forcedColors } from '../../styles/forced-colors.ts';
import { WebsiteIcon } from '../../staff-ui/icons.tsx';

/** An entry of the navigation. */
export interface NavigationEntry {
  readonly path: string;
  readonly label: string;
  readonly Icon: ComponentType<SvgIconProps>;
}

const List = styled('ul')({ margin: 0, padding: 0, listStyle: 'none' });

const Place = styled(NavLink)({
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 44,
  paddingInline: '1.5rem',
  color: 'var(--dt-palette-text-secondary)',
  fontSize: '0.9375rem',
  fontWeight: 500,
  textDecoration: 'none',
  '& svg': { fontSize: '1.25rem' },
  '&:hover': { color: 'var(--dt-palette-text-primary)' },
  '&:focus-visible': { outlineOffset: -3 },
  '&[aria-current="page"]': {
    color: 'var(--dt-palette-text-primary)',
    background: 'color-mix(in srgb, var(--dt-palette-text-primary) 8%, transparent)',
    '&::before': {
      content: '""',
      position: 'absolute',
      inset: '0 auto 0 0',
      width: 3,
      background: 'var(--dt-palette-primary-main)',
      [forcedColors]: { background: 'Highlight' },
    },
    '& svg': { color: 'var(--dt-palette-primary-main)' },
  },
});

/** The links to the staff pages and to the website. */
export function AdminNavigation({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  return (
    <nav aria-label="Staff area">
      <List>
        {entries.map(({ path, label, Icon }) => (
          <li key={path}>
            <Place to={path}>
              <Icon />
              {label}
            </Place>
          </li>
        ))}
        <Box component="li" sx={{ marginTop: 2, paddingTop: 2, borderTop: 1, borderColor: 'divider' }}>
          <Place to="/" end>
            <WebsiteIcon />
            View website
          </Place>
        </Box>
      </List>
    </nav>
  );
}
