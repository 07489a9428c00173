import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import visuallyHidden from '@mui/utils/visuallyHidden';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';
import { NavLink } from 'react-router-dom';
import { formatCount } from '../../format/numbers.ts';
import { forcedColors } from '../../styles/forced-colors.ts';
import { WebsiteIcon } from '../../staff-ui/icons.tsx';

/** An entry of the navigation. */
export interface NavigationEntry {
  readonly path: string;
  readonly label: string;
  readonly Icon: ComponentType<SvgIconProps>;
  /** The number of leads or emails that wait for staff on the page. */
  readonly waiting?: NavigationCount | undefined;
  /** The number of leads that are marked for the user. */
  readonly marked?: NavigationCount | undefined;
}

/** A number beside an entry, shown if it is not 0. */
export interface NavigationCount {
  readonly count: number;
  /** The meaning of the number, e.g. "need an answer". */
  readonly meaning: string;
  readonly isFailure?: boolean;
}

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

/** A click reaches the link below the numbers. */
const Counts = styled('span')({
  position: 'absolute',
  top: '50%',
  right: '1.25rem',
  transform: 'translateY(-50%)',
  display: 'flex',
  gap: 4,
  pointerEvents: 'none',
});

const Count = styled('span')({
  minWidth: 24,
  paddingInline: 7,
  borderRadius: 999,
  background: 'color-mix(in srgb, var(--dt-palette-text-primary) 16%, transparent)',
  fontSize: '0.8125rem',
  lineHeight: '1.375rem',
  fontWeight: 600,
  fontVariantNumeric: 'tabular-nums',
  textAlign: 'center',
  '&[data-tone="failure"]': {
    background: 'var(--dt-palette-error-main)',
    color: 'var(--dt-palette-error-contrastText)',
  },
  '&[data-tone="marked"]': {
    background: 'var(--dt-palette-secondary-main)',
    color: 'var(--dt-palette-secondary-contrastText)',
  },
  [forcedColors]: { outline: '1px solid' },
});

/** The links to the staff pages and to the website. */
export function AdminNavigation({ entries }: { readonly entries: readonly NavigationEntry[] }) {
  return (
    <nav aria-label="Staff area">
      <ul>
        {entries.map(({ path, label, Icon, waiting, marked }) => {
          const counts = [
            { ...marked, id: `marked-${label}`, tone: 'marked' },
            { ...waiting, id: `waiting-${label}`, tone: waiting?.isFailure === true ? 'failure' : undefined },
          ].flatMap(({ count = 0, ...shown }) => (count > 0 ? [{ count, ...shown }] : []));
          return (
            <Box component="li" key={path} sx={{ position: 'relative' }}>
              <Place to={path} {...(counts.length > 0 && { 'aria-describedby': counts.map(({ id }) => id).join(' ') })}>
                <Icon />
                {label}
              </Place>
              {counts.length > 0 && (
                // Outside of the link, so that the link's accessible name stays the same.
                <Counts>
                  {counts.map(({ id, count, meaning, tone }) => (
                    <Count key={id} id={id} title={`${formatCount(count)} ${meaning}`} data-tone={tone}>
                      {formatCount(count)}
                      <span style={visuallyHidden}> {meaning}</span>
                    </Count>
                  ))}
                </Counts>
              )}
            </Box>
          );
        })}
        <Box component="li" sx={{ marginTop: 2, paddingTop: 2, borderTop: 1, borderColor: 'divider' }}>
          <Place to="/" end>
            <WebsiteIcon />
            View website
          </Place>
        </Box>
      </ul>
    </nav>
  );
}
