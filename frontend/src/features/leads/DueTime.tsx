import { styled } from '@mui/material/styles';
import type { LeadResponse } from '@dune-tide/domain/leads';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { formatDateTime } from '../../format/dates.ts';
import { useNow } from '../../staff-ui/time/use-now.ts';
import { formatDue, responseAt } from './lead-clock.ts';

const colours: Readonly<Partial<Record<LeadResponse, string>>> = {
  overdue: 'var(--dt-palette-error-main)',
  soon: 'var(--dt-palette-primary-main)',
};

const Due = styled('time')({
  display: 'block',
  fontSize: '0.75rem',
  lineHeight: 1.35,
  fontVariantNumeric: 'tabular-nums',
  color: 'var(--dt-palette-text-secondary)',
  '&[data-response="overdue"], &[data-response="soon"]': { color: 'var(--tone)', fontWeight: 600 },
});

/** The time until the lead is due, in text and colour, which changes each minute; nothing while no clock runs. */
export function DueTime({ lead }: { readonly lead: Lead }) {
  const now = useNow();
  const text = formatDue(lead, now);
  if (text === undefined || lead.dueAt === null) return null;
  const response = responseAt(lead, now);
  return (
    <Due
      dateTime={lead.dueAt}
      title={`Due ${formatDateTime(lead.dueAt)}`}
      data-response={response}
      style={{ '--tone': colours[response] } as React.CSSProperties}
    >
      {text}
    </Due>
  );
}
