import { PageFrame } from '../../components/admin/PageFrame.tsx';

/** /admin/team (specification §2). */
export function TeamPage() {
  return <PageFrame title="Team">{null}</PageFrame>;
}
