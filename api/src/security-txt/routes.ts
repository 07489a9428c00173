import { brand } from '@dune-tide/domain/brand';
import type { Router } from '../http/context.ts';

export const securityTxtPath = '/.well-known/security.txt';

/** RFC 9116 §2.5.5 recommends less than a year. */
const validDays = 180;

/**
 * Registers the call that names the contact for security researchers (RFC 9116). Each response has a new expiry, some
 * days later, because the file is correct as long as the site serves it.
 * @param publicUrl - the site's own address
 */
export function securityTxtRoutes(router: Router, publicUrl: string): void {
  const canonical = new URL(securityTxtPath, publicUrl).href;
  router.get(securityTxtPath, (ctx) => {
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
  });
}
