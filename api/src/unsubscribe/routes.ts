import { emailOptOuts } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { unsubscribeLimit } from '@dune-tide/domain/limits';
import { unsubscribePath, type UnsubscribeTokens } from '@dune-tide/platform/unsubscribe-tokens';
import type { Knex } from 'knex';
import type { Context, Router } from '../http/context.ts';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import { limitPage } from '../rate-limits/page-limit.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { answerPage } from '../http/plain-page.ts';

export interface UnsubscribeRoutesDependencies {
  readonly database: Knex;
  readonly tokens: UnsubscribeTokens;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
}

/**
 * Registers the page behind the link "I did not request this" of emails to visitors (docs/PRODUCT.md, "Opt-out"). GET
 * changes nothing, because mail scanners follow links. POST opts the mailbox out; mail programs send it as well (RFC
 * 8058). The body is not read: the signature in the address authorises the request, without cookies.
 */
export function unsubscribeRoutes(router: Router, dependencies: UnsubscribeRoutesDependencies): void {
  const { database, tokens, networksOf, rateLimits } = dependencies;
  const optOuts = emailOptOuts(database);
  const path = `${unsubscribePath}/:token`;
  const limit = limitPage('unsubscribe', unsubscribeLimit, networksOf, rateLimits);
  const followUpOf = (ctx: Context): string | undefined => tokens.read(String(ctx['params'].token));

  router.get(path, limit, (ctx) => {
    if (followUpOf(ctx) === undefined) return answerUnknown(ctx);
    answerPage(ctx, 200, {
      heading: 'You did not request our email?',
      text: `Someone may have entered your address in a form at ${brand.name}. Press the button, and no automatic email will be sent to your address again.`,
      button: 'Stop emails to my address',
    });
  });

  router.post(path, limit, async (ctx) => {
    const followUpId = followUpOf(ctx);
    if (followUpId === undefined || !(await optOuts.add(followUpId))) return answerUnknown(ctx);
    answerPage(ctx, 200, {
      heading: 'No more automatic emails',
      text: `${brand.name} will send no automatic emails to your address. If you want them again, write to us.`,
    });
  });
}

function answerUnknown(ctx: Context): void {
  answerPage(ctx, 404, {
    heading: 'This link is not valid',
    text: 'Copy the whole address from the email. If the link is old, write to us, and we will stop the emails.',
  });
}
