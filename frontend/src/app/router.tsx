import { Route, Routes } from 'react-router-dom';
import { PublicLayout } from '../components/site/PublicLayout.tsx';
import { PageView } from './page-view.tsx';
import { notFoundPage, pages } from './pages.ts';

/** Every page by its path (specification §2); the public ones stand in `pages.ts`. */
export function Router() {
  return (
    <Routes>
      <Route element={<PublicLayout />}>
        {pages.map((page) => (
          <Route key={page.path} path={page.path} element={<PageView key={page.path} page={page} />} />
        ))}
        <Route path="*" element={<PageView key="*" page={notFoundPage} />} />
      </Route>
    </Routes>
  );
}
