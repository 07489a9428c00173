import { PageFrame } from '../../components/admin/PageFrame.tsx';

/** /admin/dashboard (specification §2). */
export function DashboardPage() {
  return <PageFrame title="Dashboard">{null}</PageFrame>;
}
