import type { LeadStatus } from '@dune-tide/domain/leads';
import type { Tone } from '../../staff-ui/lists/StatusChip.tsx';

/** The colours of lead statuses (docs/PRODUCT.md, "Lead status"). */
export const leadStatusTones: Readonly<Record<string, Tone>> = {
  new: 'hot',
  contacted: 'warm',
  qualified: 'cool',
  won: 'done',
  lost: 'calm',
} satisfies Readonly<Record<LeadStatus, Tone>>;

/** The colours and bars of urgency levels (docs/PRODUCT.md, "Urgency"). */
export const urgencyMarks: Readonly<Record<string, { readonly tone: Tone; readonly bars: number }>> = {
  urgent: { tone: 'alert', bars: 4 },
  high: { tone: 'hot', bars: 3 },
  medium: { tone: 'warm', bars: 2 },
  low: { tone: 'cool', bars: 1 },
};
