import type { Tone } from '../../staff-ui/lists/StatusChip.tsx';

/** The colours of lead statuses (docs/PRODUCT.md, "Lead status"). */
export const leadStatusTones: Readonly<Record<string, Tone>> = {
  new: 'hot',
  contacted: 'warm',
  qualified: 'cool',
  won: 'done',
  lost: 'calm',
};

/** The colours of urgency levels (docs/PRODUCT.md, "Urgency"). */
export const urgencyTones: Readonly<Record<string, Tone>> = {
  urgent: 'alert',
  high: 'hot',
  medium: 'warm',
  low: 'cool',
};
