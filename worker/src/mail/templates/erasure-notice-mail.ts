import type { ErasureNotice } from '@dune-tide/db/personal-data';
import { brand } from '@dune-tide/domain/brand';
import { html } from '@dune-tide/platform/html';
import { receivedAt } from './lead-in-mail.ts';
import type { MailContent } from './mail-content.ts';
import { button, factList, paragraph } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

/**
 * Writes the email that reports erasures by staff (docs/PRODUCT.md, "Erasure"). It names accounts and numbers, and
 * nothing of the people whose data was erased.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function erasureNoticeMail({
  accounts,
  publicUrl,
}: {
  readonly accounts: ErasureNotice;
  readonly publicUrl: string;
}): MailContent {
  const total = accounts.reduce((sum, { addresses }) => sum + addresses, 0);
  const heading = `Personal data of ${counted(total, 'address', 'addresses')} was erased`;
  const subject = `${heading} – ${brand.name}`;
  const facts = accounts.map(({ username, addresses, leads, firstAt, lastAt }) => {
    const [first, last] = [receivedAt(firstAt).time, receivedAt(lastAt).time];
    const time = first === last ? first : `${first} to ${last}`;
    return {
      term: username,
      description: `${counted(addresses, 'address', 'addresses')} with ${counted(leads, 'lead', 'leads')}, ${time}`,
    };
  });
  const advice =
    'If the team did not intend this, deactivate the account immediately. An operator can restore a backup without these erasures.';
  const reason = `You are receiving this email because this address gets the notices of ${brand.name}.`;
  const teamUrl = new URL('/admin/team', publicUrl).href;
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: advice,
      heading,
      body: html`${factList(facts)}${paragraph(advice)}${button('Open the team page', teamUrl)}`,
      reason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(`${heading}.`),
      facts.map(({ term, description }) => wrap(`${term}: ${description}`)).join('\n'),
      wrap(advice),
      teamUrl,
      ...textFooter({ reason, publicUrl }),
    ),
  };
}

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;
