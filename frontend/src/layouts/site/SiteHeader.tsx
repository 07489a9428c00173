import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import type { HomeSection } from '../../routing/home-sections.ts';
import { staffPath } from '../../routing/staff-paths.ts';
import { pageWidth } from '../../ui/Band.tsx';
import { CloseIcon, MenuIcon } from '../../ui/icons.tsx';
import { fixed, navigationHeight, scriptedOnly, shortWindow } from '../../styles/layout-constants.ts';
import { useMenuClosing } from '../../ui/use-menu-closing.ts';
import { frosted, frostedAfterScroll } from './frosted.ts';
import { SectionLink } from './SectionLink.tsx';
import { useIsOverDark } from './use-is-over-dark.ts';
import { useIsScrolled } from './use-is-scrolled.ts';
import { Wordmark } from '../../ui/Wordmark.tsx';

const sections: readonly { readonly section: HomeSection; readonly label: string }[] = [
  { section: 'home', label: 'Home' },
  { section: 'services', label: 'Services' },
  { section: 'portfolio', label: 'Portfolio' },
  { section: 'contact', label: 'Contact' },
];

const menuId = 'site-menu';
const kingrosePath = '/kingrose';

/** Pages that start with a dark band; the bar is dark on them from the beginning. */
const darkBeginnings: ReadonlySet<string> = new Set([kingrosePath]);

const Bar = styled('header')({
  position: fixed,
  zIndex: 1100,
  // Stays above the pages that replace each other.
  viewTransitionName: 'bar',
  inset: '0 var(--scrollbar-width, 0px) auto 0',
  color: 'var(--dt-palette-text-primary)',
  borderBottom: '1px solid transparent',
  transition: 'background-color 200ms, border-color 200ms, color 200ms',
  '&[data-frosted="true"]': { ...frosted, borderBottomColor: 'var(--dt-palette-divider)' },
  // Without scripts the bar cannot react to scrolling or open the menu, so all items are visible in it.
  '@media (scripting: none)': { position: 'static', background: 'var(--dt-palette-background-default)' },
  '@media print': { position: 'static' },
  // No transition, because the page would show through the menu.
  '&[data-open="true"]': { position: 'fixed', background: 'var(--dt-palette-background-default)', transition: 'none' },
});

const Items = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 4,
});

/** The link to the current page. */
const currentStyles = {
  '& a[aria-current="page"]': {
    textDecoration: 'underline',
    textDecorationColor: 'var(--dt-palette-primary-main)',
    textDecorationThickness: 'max(2px, 0.07em)',
    textUnderlineOffset: '0.25em',
  },
};

const itemStyles = {
  ...currentStyles,
  '& a:not(.MuiButton-root)': {
    display: 'block',
    paddingBlock: '8px',
    paddingInline: '14px',
    fontWeight: 500,
    fontSize: '0.9875rem',
    color: 'inherit',
  },
  // The way to a message is the strongest item of the bar.
  '& li[data-filled] a': {
    paddingInline: '20px',
    marginInline: '10px',
    borderRadius: 999,
    background: 'var(--dt-palette-primary-main)',
    color: 'var(--dt-palette-primary-contrastText)',
    fontWeight: 600,
    transition: 'background-color 160ms',
    '&:hover': { background: 'var(--dt-palette-primary-dark)', textDecoration: 'none' },
  },
};

const menuItemStyles = {
  ...currentStyles,
  '& a:not(.MuiButton-root)': { display: 'block', paddingBlock: '10px', typography: 'h2', color: 'inherit' },
  // Forced colours draw a background behind the text of the next item.
  '& a:focus-visible': { position: 'relative', zIndex: 1 },
};

interface SiteHeaderProps {
  /** Whether the mobile menu covers the page. */
  readonly isMenuOpen: boolean;
  readonly onMenuChange: (isOpen: boolean) => void;
}

/** The navigation bar of the public pages (docs/PRODUCT.md, "Navigation bar"). */
export function SiteHeader({ isMenuOpen, onMenuChange }: SiteHeaderProps) {
  const isFrosted = useIsScrolled(frostedAfterScroll);
  const startsDark = darkBeginnings.has(useLocation().pathname);
  const isOverDark = useIsOverDark(navigationHeight / 2) ?? startsDark;
  const toggle = useRef<HTMLButtonElement>(null);
  const close = () => onMenuChange(false);
  const closeMenu = useEffectEvent(close);
  useMenuClosing(isMenuOpen, close, toggle);

  useEffect(() => {
    if (!isMenuOpen) return undefined;
    const closeAtOnce = () => closeMenu();
    // The page behind the menu must not scroll.
    document.documentElement.style.overflow = 'hidden';
    window.addEventListener('popstate', closeAtOnce);
    return () => {
      document.documentElement.style.overflow = '';
      window.removeEventListener('popstate', closeAtOnce);
    };
  }, [isMenuOpen]);

  return (
    <Bar data-frosted={isFrosted} data-open={isMenuOpen} data-tone={isOverDark ? 'night' : undefined}>
      <Box
        sx={{
          ...pageWidth,
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          height: navigationHeight,
          '@media (scripting: none)': { height: 'auto', minHeight: navigationHeight, flexWrap: 'wrap' },
        }}
      >
        <Box sx={{ '& a': { color: 'inherit', display: 'flex' } }}>
          <SectionLink section="home" onFollow={close}>
            <Wordmark />
          </SectionLink>
        </Box>
        <Box
          component="nav"
          aria-label="Main"
          sx={{
            display: { xs: 'none', md: 'block' },
            '@media (scripting: none)': { display: 'block' },
            ...itemStyles,
          }}
        >
          <Items>
            <NavigationItems adminLabel="Admin" onFollow={close} />
          </Items>
        </Box>
        <IconButton
          ref={toggle}
          aria-label={isMenuOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isMenuOpen}
          aria-controls={menuId}
          color="inherit"
          onClick={() => onMenuChange(!isMenuOpen)}
          sx={{ display: { md: 'none' }, marginRight: -1.5, width: 48, height: 48, ...scriptedOnly }}
        >
          {isMenuOpen ? <CloseIcon /> : <MenuIcon />}
        </IconButton>
      </Box>
      <Box
        component="nav"
        id={menuId}
        aria-label="Mobile"
        hidden={!isMenuOpen}
        sx={{
          ...pageWidth,
          ...menuItemStyles,
          display: isMenuOpen ? { xs: 'block', md: 'none' } : 'none',
          // Below the bar and its border.
          height: `calc(100dvh - ${navigationHeight + 1}px)`,
          overflowY: 'auto',
          paddingBlock: 3,
        }}
      >
        <Items
          sx={{
            flexDirection: 'column',
            alignItems: 'stretch',
            gap: 0,
            // Six rows do not fit on a phone in landscape.
            [`${shortWindow} and (min-width: 30rem)`]: {
              display: 'grid',
              gridTemplateColumns: '1fr 1fr',
              columnGap: 3,
              alignItems: 'center',
            },
          }}
        >
          <NavigationItems adminLabel="Admin Login" onFollow={close} />
        </Items>
      </Box>
    </Bar>
  );
}

function NavigationItems({ adminLabel, onFollow }: { readonly adminLabel: string; readonly onFollow: () => void }) {
  return (
    <>
      {sections.map(({ section, label }) => (
        <li key={section} data-filled={section === 'contact' || undefined}>
          <SectionLink section={section} onFollow={onFollow}>
            {label}
          </SectionLink>
        </li>
      ))}
      <li>
        <Link
          component={RouterLink}
          to={kingrosePath}
          aria-current={useLocation().pathname === kingrosePath ? 'page' : undefined}
          onClick={onFollow}
          underline="hover"
        >
          KingRose
        </Link>
      </li>
      <li>
        <Button
          component={RouterLink}
          to={staffPath.login}
          onClick={onFollow}
          color="inherit"
          size="small"
          sx={{
            paddingInline: { xs: 0, md: '14px' },
            marginRight: { md: '-14px' },
            marginTop: { xs: 2, md: 0 },
            minWidth: 0,
            color: 'text.secondary',
            fontWeight: 500,
          }}
        >
          {adminLabel}
        </Button>
      </li>
    </>
  );
}
