import { useRef, useState, ViewTransition } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import { pageId } from '../../styles/layout-constants.ts';
import { SkipLink } from '../../ui/SkipLink.tsx';
import { SiteFooter } from './SiteFooter.tsx';
import { SiteHeader } from './SiteHeader.tsx';
import { useScrollOfPages } from './use-scroll-of-pages.ts';

const mainId = 'main';

interface PublicLayoutProps {
  /** The key of the first history entry of this document. */
  readonly firstKey: string;
}

/** The frame of public pages: skip link, navigation bar, the page, footer. */
export function PublicLayout({ firstKey }: PublicLayoutProps) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  useScrollOfPages(main, firstKey);

  return (
    <div id={pageId}>
      <SkipLink main={main} mainId={mainId} />
      <SiteHeader isMenuOpen={isMenuOpen} onMenuChange={setIsMenuOpen} />
      <div inert={isMenuOpen}>
        <main id={mainId} ref={main} tabIndex={-1}>
          <LoadBoundary isOfPage subject={pathname}>
            {/* Inside of the boundary, which keeps the old page until the code of the new one has loaded. */}
            <ViewTransition key={pathname} default="none" enter="page" exit="page">
              <div>
                <Outlet />
              </div>
            </ViewTransition>
          </LoadBoundary>
        </main>
        <SiteFooter />
      </div>
    </div>
  );
}
