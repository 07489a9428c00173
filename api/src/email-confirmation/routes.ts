import { emailConfirmations } from '@dune-tide/db/accounts';
import { brand } from '@dune-tide/domain/brand';
import { emailConfirmationHours, emailConfirmationLimit } from '@dune-tide/domain/limits';
import { confirmEmailPath } from '@dune-tide/platform/id-tokens';
import type { Context } from '../http/context.ts';
import { pageFailures, pageResponse, sendPage } from '../http/plain-page.ts';
import { route, type Route } from '../http/route.ts';
import { limitPage } from '../rate-limits/page-limit.ts';
import type { Services } from '../services.ts';

type ConfirmationServices = Pick<Services, 'database' | 'emailTokens' | 'staffEmail' | 'networksOf' | 'rateLimits'>;

const path = `${confirmEmailPath}/:token` as const;
const failures = pageFailures('no key has signed the token, or its address no longer waits for a confirmation');

/**
 * Declares the page behind the link that confirms the address of a staff account (docs/PRODUCT.md, "Email addresses of
 * accounts"). GET changes nothing, because mail scanners follow links.
 */
export function emailConfirmationRoutes(services: ConfirmationServices): Route[] {
  const { database, emailTokens, staffEmail } = services;
  const confirmations = emailConfirmations(database, staffEmail);
  const idOf = (token: string) => emailTokens.read(token);
  return [
    route(
      { method: 'GET', path, access: 'link' },
      {
        summary: 'Returns the page behind the link that confirms the address of a staff account',
        limit: limitPage('confirm-email', emailConfirmationLimit, services, idOf),
        responses: { 200: pageResponse('A page with a button that sends the POST.'), ...failures },
        async handle(ctx, { params: { token } }) {
          const id = idOf(token);
          const found = id === undefined ? undefined : await confirmations.find(id);
          if (!found) return sendUnknown(ctx);
          sendPage(ctx, 200, {
            heading: 'Confirm your email address',
            text: `Emails for the staff account ${found.username} will go to ${found.email}. If this is not your account, close this page, and nothing changes.`,
            button: 'Confirm this address',
          });
        },
      },
    ),
    route(
      { method: 'POST', path, access: 'link' },
      {
        summary: 'Confirms the address of a staff account',
        description: 'The body is ignored, and any origin is accepted.',
        limit: limitPage('confirm-email-post', emailConfirmationLimit, services, idOf),
        responses: { 200: pageResponse('A page: the address is confirmed.'), ...failures },
        async handle(ctx, { params: { token } }) {
          const id = idOf(token);
          if (id === undefined || !(await confirmations.confirm(id))) return sendUnknown(ctx);
          sendPage(ctx, 200, {
            heading: 'Address confirmed',
            text: `Your staff account of ${brand.name} now has this address.`,
          });
        },
      },
    ),
  ];
}

function sendUnknown(ctx: Context): void {
  sendPage(ctx, 404, {
    heading: 'This link is not valid',
    text: `It works once, within ${emailConfirmationHours} hours, and only until another address is entered. Enter the address again on your account page.`,
  });
}
