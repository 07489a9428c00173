import { brand } from '@dune-tide/domain/brand';
import { string } from '@dune-tide/domain/responses/schema';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

const path = '/.well-known/security.txt';

/** RFC 9116 §2.5.5 recommends less than a year. */
const validDays = 180;

/**
 * Declares the call that names the contact for security researchers (RFC 9116). Each response has a new expiry, some
 * days later, because the file is correct as long as the site serves it.
 */
export function securityTxtRoutes({ publicUrl }: Pick<Services, 'publicUrl'>): Route[] {
  const canonical = new URL(path, publicUrl).href;
  return [
    route(
      { method: 'GET', path, access: 'anyone' },
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
  ];
}
