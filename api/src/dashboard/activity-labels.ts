import type { Activity } from '@dune-tide/db/leads';
import { leadDefinitions, type LeadKind } from '@dune-tide/domain/leads';

/** Adds who did it. Operators have no name. */
const by = (actor: string | null): string => (actor === null ? '' : ` by ${actor}`);

const received =
  (kind: LeadKind) =>
  ({ subject }: Activity): string =>
    `${leadDefinitions[kind].labels.sentence} from ${subject}`;

/** The title of an activity of each type. */
export const activityLabels: Readonly<Record<Activity['type'], (activity: Activity) => string>> = {
  contact: received('contact'),
  service_inquiry: received('service_inquiry'),
  career_application: received('career_application'),
  portfolio_request: received('portfolio_request'),
  status_changed: ({ subject, actor, to }) => `${subject} set to ${to}${by(actor)}`,
  owner_changed: ({ subject, actor, to }) =>
    `${subject} ${to === null ? 'unassigned' : `assigned to ${to}`}${by(actor)}`,
  answered: ({ subject, actor }) => `${subject} marked as answered${by(actor)}`,
  not_answered: ({ subject, actor }) => `${subject} marked as not answered yet${by(actor)}`,
  note_added: ({ subject, actor }) => `Note on ${subject}${by(actor)}`,
  marked_as_spam: ({ subject, actor }) => `${subject} marked as spam${by(actor)}`,
  released: ({ subject, actor }) => `${subject} released from spam${by(actor)}`,
  recipe_added: ({ subject }) => `Recipe added: ${subject}`,
  recipe_updated: ({ subject }) => `Recipe updated: ${subject}`,
  signed_in: ({ subject }) => `${subject} signed in`,
};
