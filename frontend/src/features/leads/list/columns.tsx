import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { formatDate } from '../../../format/dates.ts';
import { isolated } from '../../../format/bidi-isolate.ts';
import type { ListedLead } from '../lead.ts';
import type { LeadTab } from '../lead-tabs.ts';
import { fieldText, kindLabel, leadSubject, nameParts, serviceBehindSubject } from '../lead-labels.ts';
import { Highlight } from '../Highlight.tsx';
import { DueTime } from '../DueTime.tsx';
import { LeadName } from '../LeadName.tsx';
import { SpamChip } from '../SpamChip.tsx';
import { Urgency } from '../Urgency.tsx';
import { StatusCell } from '../work/StatusButton.tsx';

/** A column of a lead table. The column with the actions follows the last one. */
export interface LeadColumn {
  /** Also the name of its grid area in narrow rows. */
  readonly id: string;
  readonly title: string;
  /** The size of its grid track. */
  readonly width: string;
  readonly cell: (lead: ListedLead) => ReactNode;
  /** The texts of its cell that a search can find, as far as they are certain to be visible. */
  readonly texts?: (lead: ListedLead) => readonly (string | null | undefined)[];
}

/** Ids of adjacent columns, one per track, as in `grid-template-areas`. */
export type GridLine = string;

/** A lead table: its columns, and the arrangement of a row in narrower windows. */
export interface LeadTableLayout {
  readonly columns: readonly LeadColumn[];
  /** Two columns share one track, each with its own header. */
  readonly compact: { readonly lines: readonly [upper: GridLine, lower: GridLine]; readonly tracks: string };
  /** The lines of a row in a narrow window. Columns that they omit are hidden there. */
  readonly narrow: readonly GridLine[];
}

/** The track of the column with the actions. */
export const actionsWidth = '4.5rem';

/** The track of the status, with room for the owner's initials. */
const statusWidth = '8.75rem';

/** The track of the date, with room for "overdue by 300 d". */
const dateWidth = '6.5rem';

/** The characters at the beginning of a message that are visible in every window, at least. */
const visibleBeginning = 24;

/** A text in either direction, wrapped over as many lines as it needs. */
function Line({ children }: { readonly children: ReactNode }) {
  return <bdi className="line">{children}</bdi>;
}

function TwoLines({ first, second }: { readonly first: ReactNode; readonly second: string | null }) {
  return (
    <>
      <Line>{first}</Line>
      {second !== null && (
        <Typography
          variant="caption"
          component="div"
          className="second"
          sx={{ color: 'text.secondary', lineHeight: 1.35 }}
        >
          <Line>
            <Highlight text={second} />
          </Line>
        </Typography>
      )}
    </>
  );
}

const name = (second: (lead: ListedLead) => string | null = () => null): LeadColumn => ({
  id: 'name',
  title: 'Name',
  width: 'minmax(0, 1.5fr)',
  texts: (lead) => [nameParts(lead).join(' '), lead.spamSign ? null : second(lead)],
  cell: (lead) =>
    lead.spamSign ? (
      <div className="marked">
        <Line>
          <LeadName lead={lead} />
        </Line>
        <SpamChip />
      </div>
    ) : (
      <TwoLines first={<LeadName lead={lead} />} second={second(lead)} />
    ),
});
/** An email address that wraps after its `@` rather than within a name. */
function Email({ address }: { readonly address: string }) {
  const host = address.lastIndexOf('@') + 1;
  return (
    <>
      <Highlight text={address.slice(0, host)} />
      <wbr />
      <Highlight text={address.slice(host)} />
    </>
  );
}

const email: LeadColumn = {
  id: 'email',
  title: 'Email',
  width: 'minmax(0, 2fr)',
  texts: ({ email: address }) => [address],
  cell: (lead) => (
    <Line>
      <Email address={lead.email} />
    </Line>
  ),
};
const about = (title: string, second: (lead: ListedLead) => string | null = serviceBehindSubject): LeadColumn => ({
  id: 'about',
  title,
  width: 'minmax(0, 1.8fr)',
  texts: (lead) => [leadSubject(lead)],
  cell: (lead) => <TwoLines first={<Highlight text={leadSubject(lead) ?? ''} />} second={second(lead)} />,
});
const status: LeadColumn = {
  id: 'status',
  title: 'Status',
  width: statusWidth,
  cell: (lead) => <StatusCell lead={lead} />,
};
const date: LeadColumn = {
  id: 'date',
  title: 'Date',
  width: dateWidth,
  cell: (lead) => (
    <>
      <time dateTime={lead.createdAt}>{formatDate(lead.createdAt)}</time>
      <DueTime lead={lead} />
    </>
  ),
};

/** The columns of each tab (docs/PRODUCT.md, "Leads page"). */
export const leadTables: Readonly<Record<LeadTab, LeadTableLayout>> = {
  all: {
    columns: [
      { id: 'type', title: 'Type', width: '5.5rem', cell: (lead) => <Line>{kindLabel(lead.kind)}</Line> },
      name(),
      email,
      about('Service/Position'),
      status,
      date,
    ],
    compact: {
      lines: ['name about status actions', 'email type date actions'],
      tracks: `minmax(0, 1.3fr) minmax(0, 1fr) ${statusWidth} ${actionsWidth}`,
    },
    narrow: ['name name date', 'about about status', 'type type actions', 'email email actions'],
  },
  contact: {
    columns: [
      name(),
      email,
      { ...about('Service'), width: '11.5rem' },
      {
        id: 'message',
        title: 'Message',
        width: 'minmax(0, 2fr)',
        texts: (lead) => [fieldText(lead, 'message')?.slice(0, visibleBeginning)],
        cell: (lead) => (
          <bdi className="beginning">
            <Highlight text={fieldText(lead, 'message') ?? ''} />
          </bdi>
        ),
      },
      date,
    ],
    compact: {
      lines: ['name about date actions', 'email message date actions'],
      tracks: `minmax(0, 1fr) minmax(0, 1.2fr) ${dateWidth} ${actionsWidth}`,
    },
    narrow: ['name name date', 'about about about', 'email email actions'],
  },
  service_inquiry: {
    columns: [
      name((lead) => fieldText(lead, 'company')),
      email,
      about('Service', (lead) =>
        [serviceBehindSubject(lead), fieldText(lead, 'budget')]
          .filter((part) => part !== null)
          .map(isolated)
          .join(' · '),
      ),
      {
        id: 'urgency',
        title: 'Urgency',
        width: '5.75rem',
        cell: (lead) => <Urgency urgency={fieldText(lead, 'urgency') ?? ''} />,
      },
      status,
      date,
    ],
    compact: {
      lines: ['name about urgency status actions', 'email about urgency date actions'],
      tracks: `minmax(0, 1.2fr) minmax(0, 1fr) 5.75rem ${statusWidth} ${actionsWidth}`,
    },
    narrow: ['name name date', 'about about status', 'urgency urgency actions', 'email email actions'],
  },
  career_application: {
    columns: [
      name((lead) => fieldText(lead, 'phone')),
      email,
      about('Position'),
      {
        id: 'experience',
        title: 'Experience',
        width: '10.5rem',
        cell: (lead) => <Line>{fieldText(lead, 'experience')}</Line>,
      },
      date,
    ],
    compact: {
      lines: ['name about date actions', 'email experience date actions'],
      tracks: `minmax(0, 1.3fr) minmax(0, 1fr) ${dateWidth} ${actionsWidth}`,
    },
    narrow: ['name name date', 'about about about', 'experience experience actions', 'email email actions'],
  },
};
