import { expect } from 'chai';
import { askedToWait } from '@dune-tide/domain/webhooks';
import { explainServerResponse, explainWebhookResponse } from '../src/features/follow-ups/server-response.ts';

const unknown = 'This address does not exist.';
const full = 'The mailbox is full.';
const later = 'The mail server asked to try again later.';
const unreachable = 'The mail server could not be reached.';
const rejected = 'The mail server rejected the email.';
const blocked = 'The mail server blocked the email, by a blocklist or a policy.';
const limited = 'The mail server accepts no more emails from us for now.';

describe('the explanation of a mail server’s response', () => {
  for (const [response, sentence] of [
    ['550 5.1.1 No such user', unknown],
    ['550-5.1.1 The account does not exist.', unknown],
    ['550 No such user', unknown],
    ['552 5.2.2 Over quota', full],
    ['552 Over quota', full],
    ['450 4.2.0 Greylisted, try later', later],
    ['421 Too many connections', limited],
    ['450 4.1.1 User unknown', later],
    ['452 4.2.2 Over quota', full],
    ['550 High probability of spam', blocked],
    ['550 5.7.1 Message refused', blocked],
    ['552 5.3.4 Message too big', 'The email is too large for the mail server.'],
    ['554 Transaction failed', rejected],
    ['ECONNREFUSED', unreachable],
    ['ETIMEDOUT', unreachable],
    ['SELF_SIGNED_CERT_IN_CHAIN', unreachable],
  ] as const) {
    it(`starts with the right sentence for "${response}"`, () => {
      expect(explainServerResponse(response)).to.equal(`${sentence} ${response}`);
    });
  }

  for (const response of ['250 2.0.0 OK', 'Out of attempts', 'MailHeldBackError', 'unknown', '']) {
    it(`is missing for "${response}"`, () => {
      expect(explainServerResponse(response)).to.equal(response);
    });
  }
});

describe('the response of a receiver of webhooks', () => {
  it('states until when it asked to wait, in the time zone of the reader', () => {
    const until = new Date(2026, 2, 7, 15, 30);
    expect(explainWebhookResponse(`429 (${askedToWait(until)}) slow down`)).to.equal(
      '429 (asked to wait until Mar 07, 2026 15:30) slow down',
    );
  });
});
