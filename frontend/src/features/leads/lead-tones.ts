import type { Tone } from '../../staff-ui/lists/StatusChip.tsx';

/** A lead's states (specification §4, "Lead status values"). */
export const leadStatusTones: Readonly<Record<string, Tone>> = {
  new: 'hot',
  contacted: 'warm',
  qualified: 'cool',
  won: 'done',
  lost: 'calm',
};

/** How urgent an inquiry is (specification §4, "Urgency values"). */
export const urgencyTones: Readonly<Record<string, Tone>> = {
  urgent: 'alert',
  high: 'hot',
  medium: 'warm',
  low: 'cool',
};
