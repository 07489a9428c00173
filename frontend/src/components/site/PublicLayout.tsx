import Box from '@mui/material/Box';
import { useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { LoadBoundary } from '../LoadBoundary.tsx';
import { pageId } from '../page-parts.ts';
import { SiteFooter } from './SiteFooter.tsx';
import { SiteHeader } from './SiteHeader.tsx';
import { useScrollOfPages } from './use-scroll-of-pages.ts';

const mainId = 'main';

/** What every public page stands in: skip link, navigation bar, the page, footer. */
export function PublicLayout() {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useScrollOfPages(main);

  return (
    <div id={pageId}>
      <Box
        component="a"
        href={`#${mainId}`}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
        sx={{
          position: 'fixed',
          zIndex: 'tooltip',
          top: 8,
          left: 8,
          padding: '12px 20px',
          borderRadius: 1,
          bgcolor: 'text.primary',
          color: 'background.default',
          '&:not(:focus)': { transform: 'translateY(-200%)' },
        }}
      >
        Skip to content
      </Box>
      <SiteHeader isMenuOpen={isMenuOpen} onMenuChange={setIsMenuOpen} />
      <div inert={isMenuOpen}>
        <main id={mainId} ref={main} tabIndex={-1}>
          <LoadBoundary subject={pathname}>
            <Outlet />
          </LoadBoundary>
        </main>
        <SiteFooter />
      </div>
    </div>
  );
}
