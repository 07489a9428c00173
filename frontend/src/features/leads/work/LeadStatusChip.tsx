import { StatusChip } from '../../../staff-ui/lists/StatusChip.tsx';
import { statusLabel } from '../lead-labels.ts';
import { leadStatusTones } from '../lead-tones.ts';

/** A lead's status in its colour (docs/PRODUCT.md, "Lead status"). */
export function LeadStatusChip({ status }: { readonly status: string }) {
  return <StatusChip tone={leadStatusTones[status] ?? 'calm'} label={statusLabel(status)} />;
}
