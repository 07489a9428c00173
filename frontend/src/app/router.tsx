import { useState } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { PublicLayout } from '../layouts/site/PublicLayout.tsx';
import { PageView } from './page-view.tsx';
import { notFoundPage, pages } from './pages.ts';
import { StaffAreaView, StaffLayoutView } from './staff-area-view.tsx';
import { accountPage, loginPage, type StaffPage, staffPages } from './staff-pages.ts';
import { useSingleNavigation } from './use-single-navigation.ts';

/**
 * Maps paths to pages (docs/PRODUCT.md, "Pages"): the public pages of `pages.ts` and the staff pages of
 * `staff-pages.ts`. Other spellings of a path show the 404 page, because the server redirects them or responds with 404
 * itself.
 */
export function Router() {
  const { pathname, key } = useLocation();
  const [firstKey] = useState(key);
  useSingleNavigation(pathname);
  // React Router ignores trailing slashes.
  const isMisspelt = pathname !== '/' && pathname.endsWith('/');
  return (
    <Routes {...(isMisspelt && { location: notFoundPage.path })}>
      <Route element={<PublicLayout firstKey={firstKey} />}>
        {pages.map((page) => (
          <Route key={page.path} caseSensitive path={page.path} element={<PageView key={page.path} page={page} />} />
        ))}
        <Route path="*" element={<PageView key="*" page={notFoundPage} />} />
      </Route>
      <Route element={<StaffAreaView />}>
        {staffRoutes(loginPage)}
        <Route element={<StaffLayoutView />}>{[...staffPages, accountPage].map(staffRoutes)}</Route>
      </Route>
    </Routes>
  );
}

/** Uses one element for all paths of a page, so that navigation between them keeps the page's state. */
function staffRoutes(page: StaffPage) {
  const element = <PageView key={page.paths[0]} page={page} />;
  return page.paths.map((path) => <Route key={path} caseSensitive path={path} element={element} />);
}
