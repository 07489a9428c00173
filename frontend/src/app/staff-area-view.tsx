import { lazy } from 'react';
import { LoadBoundary } from '../components/LoadBoundary.tsx';

/** Loads what all pages of the staff area share; no public page carries any of it. */
export const loadStaffArea = () => import('./StaffArea.tsx');

const Area = lazy(async () => ({ default: (await loadStaffArea()).StaffArea }));
const Layout = lazy(async () => ({ default: (await loadStaffArea()).StaffLayout }));

/** What surrounds every page of the staff area. */
export function StaffArea() {
  return (
    <LoadBoundary>
      <Area />
    </LoadBoundary>
  );
}

/** What surrounds the pages that need a session. */
export function StaffLayout() {
  return <Layout />;
}
