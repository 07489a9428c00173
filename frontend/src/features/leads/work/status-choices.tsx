import { type LeadStatus, leadStatuses } from '@dune-tide/domain/leads';
import type { Choice } from '../../../staff-ui/ChoiceMenu.tsx';
import { LeadStatusChip } from './LeadStatusChip.tsx';
import { statusLabel } from '../lead-labels.ts';

/** The entries of the menu of statuses. Any status may follow any other (docs/PRODUCT.md, "Lead status"). */
export const statusChoices: readonly Choice<LeadStatus>[] = leadStatuses.map((status) => ({
  value: status,
  label: statusLabel(status),
  content: <LeadStatusChip status={status} />,
}));
