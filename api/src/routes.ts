import { accountRoutes } from './accounts/routes.ts';
import { announcementRoutes } from './announcements/routes.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import { authRoutes } from './auth/routes.ts';
import { dashboardRoutes } from './dashboard/routes.ts';
import { emailConfirmationRoutes } from './email-confirmation/routes.ts';
import { followUpRoutes } from './follow-ups/routes.ts';
import { healthRoutes } from './health/routes.ts';
import type { Route } from './http/route.ts';
import { leadExportRoutes } from './leads/export-routes.ts';
import { leadHistoryRoutes } from './leads/history-routes.ts';
import { leadListRoutes } from './leads/list-routes.ts';
import { leadReplyRoutes } from './leads/reply-routes.ts';
import { leadRoutes } from './leads/routes.ts';
import { leadWorkRoutes } from './leads/work-routes.ts';
import { openApiRoutes } from './openapi/routes.ts';
import { ownAccountRoutes } from './own-account/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { queueBoardRoutes } from './queue-board/routes.ts';
import { receiptRoutes } from './receipt/routes.ts';
import { recipeRoutes } from './recipes/routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import type { Services } from './services.ts';
import { unsubscribeRoutes } from './unsubscribe/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { wellKnownRoutes } from './well-known/routes.ts';

/** Returns every route of the API. */
export function allRoutes(services: Services): readonly Route[] {
  const described = [
    ...healthRoutes(services),
    ...wellKnownRoutes(services),
    ...leadRoutes(services),
    ...receiptRoutes(services),
    ...unsubscribeRoutes(services),
    ...emailConfirmationRoutes(services),
    ...authRoutes(services),
    ...ownAccountRoutes(services),
    ...secondFactorRoutes(services),
    ...accountRoutes(services),
    ...leadListRoutes(services),
    ...leadExportRoutes(services),
    ...leadWorkRoutes(services),
    ...leadReplyRoutes(services),
    ...leadHistoryRoutes(services),
    ...announcementRoutes(services),
    ...followUpRoutes(services),
    ...queueBoardRoutes(services),
    ...dashboardRoutes(services),
    ...recipeRoutes(services),
    ...viewRoutes(services),
    ...peopleRoutes(services),
    ...auditLogRoutes(services),
  ];
  return [...described, ...openApiRoutes(described, services)];
}
