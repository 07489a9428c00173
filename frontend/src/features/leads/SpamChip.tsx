import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';

/** The reason is shown beside it or in the details. */
export function SpamChip() {
  return <StatusChip tone="calm" label="Possible spam" />;
}
