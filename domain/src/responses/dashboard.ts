import { leadKinds } from '../leads.ts';
import { dateTime, object, oneOf, string, uuid, wholeNumber, type ResponseSchema } from './schema.ts';

/** The figures of the dashboard. Portfolio requests do not count as leads. */
export const statsResponse = {
  title: 'stats',
  description: 'The figures of the dashboard',
  ...object({
    totalLeads: wholeNumber,
    activeProjects: { ...wholeNumber, description: 'Service inquiries that were won' },
    conversionRate: {
      type: 'number',
      minimum: 0,
      maximum: 100,
      description: 'The share of service inquiries that were won, in percent',
    },
    teamMembers: { ...wholeNumber, description: 'Active accounts' },
  }),
} as const satisfies ResponseSchema;

/** A new lead is an activity under the name of its kind. */
const activityTypes = [...leadKinds, 'recipe_added', 'recipe_updated', 'signed_in'] as const;

export const activityResponse = {
  title: 'activity',
  description: 'One entry of the recent activity',
  ...object({
    id: { ...uuid, description: 'The lead’s id if the activity is a lead; otherwise unique among the activities' },
    type: oneOf(activityTypes),
    title: string,
    createdAt: dateTime,
  }),
} as const satisfies ResponseSchema;
