import { styled } from '@mui/material/styles';
import { formatCount } from '../../format/numbers.ts';
import type { PersonalData } from './people-api.ts';

const List = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  maxWidth: '34rem',
  borderTop: '1px solid var(--dt-palette-divider)',
  fontVariantNumeric: 'tabular-nums',
  '& dt, & dd': { paddingBlock: '0.5625rem', borderBottom: '1px solid var(--dt-palette-divider)' },
  '& dd': { paddingLeft: '1.5rem', fontWeight: 600, textAlign: 'right' },
  '& small': { display: 'block', color: 'var(--dt-palette-text-secondary)', fontSize: '0.8125rem' },
});

const labels: readonly { readonly name: keyof PersonalData; readonly label: string; readonly hint?: string }[] = [
  { name: 'leads', label: 'Leads', hint: 'With all answers' },
  { name: 'emails', label: 'Emails', hint: 'To the person and to staff, with their recipients' },
  { name: 'unsentEmails', label: 'Unsent emails among them', hint: 'They will not be sent' },
  { name: 'replies', label: 'Replies' },
  { name: 'notes', label: 'Notes' },
  { name: 'historyEntries', label: 'Other history entries' },
  { name: 'webhooks', label: 'Webhooks' },
  { name: 'savedViews', label: 'Saved views with the address or the phone number', hint: 'They stay without it' },
  { name: 'optOuts', label: 'Opt-outs from automatic emails', hint: 'The mailbox can get automatic emails again' },
];

interface DataCountsProps {
  readonly data: PersonalData;
  /** Leaves out the hints on the consequences of an erasure, which has taken place. */
  readonly isDone?: boolean;
}

/** Lists how much is held about a person, or was erased. */
export function DataCounts({ data, isDone = false }: DataCountsProps) {
  return (
    <List>
      {labels
        .filter(({ name }) => name === 'leads' || data[name] > 0)
        .map(({ name, label, hint }) => [
          <dt key={name}>
            {label}
            {hint !== undefined && !isDone && <small>{hint}</small>}
          </dt>,
          <dd key={`${name}-count`}>{formatCount(data[name])}</dd>,
        ])}
    </List>
  );
}

/** Returns whether anything is held. */
export const holdsData = (data: PersonalData): boolean => Object.values(data).some((count) => count > 0);
