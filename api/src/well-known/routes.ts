import { brand } from '@dune-tide/domain/brand';
import { string } from '@dune-tide/domain/responses/schema';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

const securityTxtPath = '/.well-known/security.txt';

/** The page on which a member of staff changes the password. Visitors have no accounts. */
const accountPage = '/admin/account';

/** RFC 9116 §2.5.5 recommends less than a year. */
const validDays = 180;

/**
 * Declares the well-known addresses (RFC 8615): the contact for security researchers (RFC 9116), and the page that
 * changes a password, to which password managers lead (W3C, "A Well-Known URL for Changing Passwords"). Each
 * security.txt has a new expiry, some days later, because the file is correct as long as the site serves it.
 */
export function wellKnownRoutes({ publicUrl }: Pick<Services, 'publicUrl'>): Route[] {
  const canonical = new URL(securityTxtPath, publicUrl).href;
  return [
    route(
      { method: 'GET', path: securityTxtPath, access: 'anyone' },
      {
        summary: 'Returns where to report a vulnerability',
        responses: { 200: { description: 'The file of RFC 9116.', mediaType: 'text/plain', schema: string } },
        handle(ctx) {
          const expires = new Date(Date.now() + validDays * 24 * 60 * 60 * 1_000);
          ctx.set('Cache-Control', 'no-store');
          ctx.type = 'text/plain';
          ctx.body = [
            `Contact: mailto:${brand.email}`,
            `Expires: ${expires.toISOString()}`,
            'Preferred-Languages: en',
            `Canonical: ${canonical}`,
            '',
          ].join('\n');
        },
      },
    ),
    route(
      { method: 'GET', path: '/.well-known/change-password', access: 'anyone' },
      {
        summary: 'Leads to the page that changes a password',
        responses: { 302: { description: 'The account page of the staff area.' } },
        handle(ctx) {
          ctx.set('Cache-Control', 'no-store');
          ctx.redirect(accountPage);
          ctx.body = '';
        },
      },
    ),
  ];
}
