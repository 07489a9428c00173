import { leadKinds, leadResponses, leadStatuses, workedKinds } from '../leads.ts';
import { maxMarkedLeads } from '../limits.ts';
import { accountReference } from './account.ts';
import {
  array,
  dateTime,
  each,
  nullable,
  object,
  oneOf,
  string,
  uuid,
  wholeNumber,
  type ResponseSchema,
} from './schema.ts';

/** The numbers of leads that need an answer, by `response`. */
const needsAnswer = object({ overdue: wholeNumber, soon: wholeNumber, waiting: wholeNumber });
const unowned = { ...wholeNumber, description: 'Leads that need an answer and have no owner' } as const;
const percent = { type: 'number', minimum: 0, maximum: 100 } as const;

/** The figures of the dashboard. Portfolio requests do not count as leads. */
export const statsResponse = {
  title: 'stats',
  description: 'The figures of the dashboard',
  ...object({
    totalLeads: wholeNumber,
    activeProjects: { ...wholeNumber, description: 'Service inquiries that were won' },
    conversionRate: { ...percent, description: 'The share of service inquiries that were won, in percent' },
    teamMembers: { ...wholeNumber, description: 'Active accounts' },
    needsAnswer,
    unowned,
    onTimeRate: {
      ...nullable(percent),
      description: 'The share of the leads due in the last 30 days that was answered in time; null if none was due',
    },
    medianAnswerMinutes: {
      ...nullable({ type: 'number', minimum: 0 }),
      description: 'The median time to answer of the same leads; null if none was answered',
    },
  }),
} as const satisfies ResponseSchema;

/** A new lead is an activity under the name of its kind. */
const activityTypes = [
  ...leadKinds,
  'status_changed',
  'owner_changed',
  'answered',
  'not_answered',
  'note_added',
  'marked_as_spam',
  'released',
  'recipe_added',
  'recipe_updated',
  'signed_in',
] as const;

export const activityResponse = {
  title: 'activity',
  description: 'One entry of the recent activity',
  ...object({
    id: { ...uuid, description: 'The lead’s id if the activity is a lead; otherwise unique among the activities' },
    type: oneOf(activityTypes),
    title: string,
    leadId: { ...nullable(uuid), description: 'The lead that the activity is about; null if it is about none' },
    createdAt: dateTime,
  }),
} as const satisfies ResponseSchema;

/** A lead that is due next. */
export const dueLeadResponse = {
  title: 'due-lead',
  description: 'A lead that needs an answer',
  ...object({
    id: uuid,
    kind: oneOf(workedKinds),
    name: string,
    status: oneOf(leadStatuses),
    owner: nullable(accountReference),
    dueAt: dateTime,
    response: oneOf(leadResponses),
  }),
} as const satisfies ResponseSchema;

const leadsByKind = each(workedKinds, wholeNumber);

/** The percentage by which a figure changed; null if it cannot be compared. */
const change = nullable({ type: 'number' });
const weekStart = { type: 'string', format: 'date', description: 'The Monday, in the studio’s time zone' } as const;

/** The growth of the figures, and the series of the charts (docs/PRODUCT.md, "Figures"). */
export const trendsResponse = {
  title: 'trends',
  description: 'The growth of the figures, and the series of the dashboard’s charts',
  ...object({
    growth: {
      ...nullable(object({ totalLeads: change, activeProjects: change, teamMembers: change, conversionRate: change })),
      description: 'The change of the last 30 days against the 30 before; null without leads older than 60 days',
    },
    leadsPerWeek: {
      ...array(object({ weekStart, ...leadsByKind })),
      description: 'Oldest first, weeks without leads included',
    },
    leadsByStatus: {
      ...object(each(leadStatuses, wholeNumber)),
      description: 'The leads received in the last 90 days',
    },
    answersPerWeek: {
      ...array(object({ weekStart, due: wholeNumber, onTime: wholeNumber })),
      description: 'The leads that fell due in each week, and those of them that were answered in time',
    },
  }),
} as const satisfies ResponseSchema;

/** The data of a server-sent event (docs/PRODUCT.md, "Announcements"). */
export const announcementResponse = {
  title: 'announcement',
  description: 'The current numbers of leads and of failed emails, and the marks of the account',
  ...object({
    totals: {
      ...object(leadsByKind),
      description: 'A list has new leads if its total is larger than the X-Total-Count with which it was loaded',
    },
    needsAnswer,
    unowned,
    failedEmails: wholeNumber,
    marked: {
      ...object({
        total: wholeNumber,
        leadIds: { ...array(uuid), description: `The newest ${maxMarkedLeads} at most` },
      }),
      description:
        'Leads that were assigned to the account, or in whose notes it was mentioned, and that it has not opened since',
    },
    indexing: {
      ...nullable(object({ indexed: wholeNumber, total: wholeNumber })),
      description:
        'While the search texts of all leads are written, e.g. after a restore: how many leads have theirs. A search may miss the others',
    },
  }),
} as const satisfies ResponseSchema;
