import type { Activity } from '@dune-tide/db/dashboard';
import { leadKindLabels } from '@dune-tide/domain/lead-labels';

/** The title of an activity of each type, made from its subject. */
export const activityLabels: Readonly<Record<Activity['type'], (subject: string) => string>> = {
  contact: (name) => `${leadKindLabels.contact} from ${name}`,
  service_inquiry: (name) => `${leadKindLabels.service_inquiry} from ${name}`,
  career_application: (name) => `${leadKindLabels.career_application} from ${name}`,
  portfolio_request: (email) => `${leadKindLabels.portfolio_request} from ${email}`,
  recipe_added: (title) => `Recipe added: ${title}`,
  recipe_updated: (title) => `Recipe updated: ${title}`,
  signed_in: (name) => `${name} signed in`,
};
