import { emailOptOuts } from '@dune-tide/db/follow-ups';
import { brand } from '@dune-tide/domain/brand';
import { unsubscribeLimit } from '@dune-tide/domain/limits';
import { unsubscribePath } from '@dune-tide/platform/id-tokens';
import type { Context } from '../http/context.ts';
import { pageFailures, pageResponse, sendPage } from '../http/plain-page.ts';
import { route, type Route } from '../http/route.ts';
import { limitPage } from '../rate-limits/page-limit.ts';
import type { Services } from '../services.ts';

type UnsubscribeServices = Pick<Services, 'database' | 'unsubscribeTokens' | 'networksOf' | 'rateLimits'>;

const path = `${unsubscribePath}/:token` as const;
const failures = pageFailures('no key has signed the token, or its email does not exist');

/**
 * Declares the page behind the link "I did not request this" of emails to visitors (docs/PRODUCT.md, "Opt-out"). GET
 * changes nothing, because mail scanners follow links. POST opts the mailbox out; mail programs send it as well (RFC
 * 8058). The body is not read: the signature in the address authorises the request, without cookies.
 */
export function unsubscribeRoutes(services: UnsubscribeServices): Route[] {
  const { database, unsubscribeTokens } = services;
  const optOuts = emailOptOuts(database);
  const idOf = (token: string) => unsubscribeTokens.read(token);
  return [
    route(
      { method: 'GET', path, access: 'link' },
      {
        summary: 'Returns the page behind the link “I did not request this” of an email',
        limit: limitPage('unsubscribe', unsubscribeLimit, services, idOf),
        responses: { 200: pageResponse('A page with a button that sends the POST.'), ...failures },
        handle(ctx, { params: { token } }) {
          if (unsubscribeTokens.read(token) === undefined) return sendUnknown(ctx);
          sendPage(ctx, 200, {
            heading: 'You did not request our email?',
            text: `Someone may have entered your address in a form at ${brand.name}. Press the button, and no automatic email will be sent to your address again.`,
            button: 'Stop emails to my address',
          });
        },
      },
    ),
    route(
      { method: 'POST', path, access: 'link' },
      {
        summary: 'Stops automatic emails to the mailbox of an email',
        description: 'Also the one-click request of RFC 8058. The body is ignored, and any origin is accepted.',
        limit: limitPage('unsubscribe-post', unsubscribeLimit, services, idOf),
        responses: { 200: pageResponse('A page: the mailbox is opted out.'), ...failures },
        async handle(ctx, { params: { token } }) {
          const followUpId = unsubscribeTokens.read(token);
          if (followUpId === undefined || !(await optOuts.add(followUpId))) return sendUnknown(ctx);
          sendPage(ctx, 200, {
            heading: 'No more automatic emails',
            text: `${brand.name} will send no automatic emails to your address. If you want them again, write to us.`,
          });
        },
      },
    ),
  ];
}

function sendUnknown(ctx: Context): void {
  sendPage(ctx, 404, {
    heading: 'This link is not valid',
    text: 'Copy the whole address from the email. If the link is old, write to us, and we will stop the emails.',
  });
}
