import { PageFrame } from '../../components/admin/PageFrame.tsx';

/** /admin/leads (specification §2). */
export function LeadsPage() {
  return <PageFrame title="CRM & Lead Management">{null}</PageFrame>;
}
