import { use } from 'react';
import { LoadBoundary } from '../ui/LoadBoundary.tsx';
import type * as StaffAreaModule from './StaffArea.tsx';

type StaffAreaCode = typeof StaffAreaModule;

let loaded: StaffAreaCode | undefined;
let loading: Promise<StaffAreaCode> | undefined;

/**
 * Loads the code that all staff pages share, once. Public pages do not contain it.
 * @returns a promise that rejects if the code cannot be loaded
 */
export function loadStaffArea(): Promise<StaffAreaCode> {
  loading ??= load();
  return loading;
}

async function load(): Promise<StaffAreaCode> {
  try {
    loaded = await import('./StaffArea.tsx');
    return loaded;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** Renders loaded code synchronously, because React delays a page by 300 ms after waiting. */
const useStaffArea = (): StaffAreaCode => loaded ?? use(loadStaffArea());

function Area() {
  const { StaffArea } = useStaffArea();
  return <StaffArea />;
}

/** The frame of all staff pages. */
export function StaffAreaView() {
  return (
    <LoadBoundary isOfPage>
      <Area />
    </LoadBoundary>
  );
}

/** The frame of the pages that require a session. */
export function StaffLayoutView() {
  const { StaffLayout } = useStaffArea();
  return <StaffLayout />;
}
