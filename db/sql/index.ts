import { accounts } from './accounts.ts';
import { auditLog } from './audit-log.ts';
import { emailLimits } from './email-limits.ts';
import { erasure } from './erasure.ts';
import { followUpCounts } from './follow-up-counts.ts';
import { followUps } from './follow-ups.ts';
import { leadCounts } from './lead-counts.ts';
import { leadNotifications } from './lead-notifications.ts';
import { leadSearch } from './lead-search.ts';
import { leadWork } from './lead-work.ts';
import { leads } from './leads.ts';
import { recipes } from './recipes.ts';
import { webhooks } from './webhooks.ts';

/**
 * The statements that create today's functions, triggers and CHECKs on the tables of the migrations, in order.
 * `make migration` writes their differences to a migration (CONTRIBUTING.md, "Changing the database").
 */
export const definitions: readonly string[] = [
  ...leads,
  ...leadWork,
  ...leadNotifications,
  ...leadCounts,
  ...leadSearch,
  ...followUps,
  ...followUpCounts,
  ...emailLimits,
  ...webhooks,
  ...auditLog,
  ...erasure,
  ...accounts,
  ...recipes,
];
