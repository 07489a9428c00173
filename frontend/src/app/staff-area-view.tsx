import { use } from 'react';
import { LoadBoundary } from '../ui/LoadBoundary.tsx';
import type * as StaffAreaModule from './StaffArea.tsx';

type StaffAreaCode = typeof StaffAreaModule;

let loaded: StaffAreaCode | undefined;
let loading: Promise<StaffAreaCode> | undefined;

/**
 * Loads what all pages of the staff area share, once; no public page carries any of it.
 * @returns rejects when the code does not arrive
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

/** Code that is there is rendered at once: after waiting React holds a page back for 300 ms. */
const useStaffArea = (): StaffAreaCode => loaded ?? use(loadStaffArea());

function Area() {
  const { StaffArea } = useStaffArea();
  return <StaffArea />;
}

/** What surrounds every page of the staff area. */
export function StaffAreaView() {
  return (
    <LoadBoundary isOfPage>
      <Area />
    </LoadBoundary>
  );
}

/** What surrounds the pages that need a session. */
export function StaffLayoutView() {
  const { StaffLayout } = useStaffArea();
  return <StaffLayout />;
}
