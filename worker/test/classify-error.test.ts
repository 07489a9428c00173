import { expect } from 'chai';
import type { FailureResult } from '../src/delivery/transport.ts';
import { classifyMailError, InterruptedMailError, MailHeldBackError } from '../src/mail/classify-error.ts';

interface Details {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** An error as nodemailer makes it. */
const mailError = (details: Details): Error => Object.assign(new Error('words that decide nothing'), details);

/** An answer of the server. @param status - RFC 3463, for servers that have it */
const answered = (code: string, command: string, responseCode: number, status = ''): Details => ({
  code,
  command,
  responseCode,
  response: `${responseCode} ${status === '' ? '' : `${status} `}said the server`,
});

const cases: readonly (readonly [string, Details, FailureResult])[] = [
  ['550 for the recipient', answered('EENVELOPE', 'RCPT TO', 550), 'permanent'],
  ['553 for the recipient', answered('EENVELOPE', 'RCPT TO', 553), 'permanent'],
  ['500 for the recipient', answered('EENVELOPE', 'RCPT TO', 500), 'permanent'],
  ['499 for the recipient', answered('EENVELOPE', 'RCPT TO', 499), 'temporary'],
  ['450 for the recipient', answered('EENVELOPE', 'RCPT TO', 450), 'temporary'],
  ['452 for the recipient', answered('EENVELOPE', 'RCPT TO', 452), 'temporary'],
  ['421 for the recipient', answered('EENVELOPE', 'RCPT TO', 421), 'outage'],
  ['503 for the recipient, a session out of step', answered('EENVELOPE', 'RCPT TO', 503), 'temporary'],
  ['550 5.1.1 for the recipient, who is unknown', answered('EENVELOPE', 'RCPT TO', 550, '5.1.1'), 'permanent'],
  ['550 5.2.1 for the recipient, who is disabled', answered('EENVELOPE', 'RCPT TO', 550, '5.2.1'), 'permanent'],
  ['554 5.7.1 for the recipient, who we may not write to', answered('EENVELOPE', 'RCPT TO', 554, '5.7.1'), 'temporary'],
  ['530 5.7.0 for the recipient, sign-in wanted', answered('EENVELOPE', 'RCPT TO', 530, '5.7.0'), 'outage'],
  ['530 for DATA, sign-in wanted', answered('EENVELOPE', 'DATA', 530), 'outage'],
  ['534 for the recipient, another sign-in wanted', answered('EENVELOPE', 'RCPT TO', 534), 'outage'],
  ['538 for the recipient, an encrypted sign-in wanted', answered('EENVELOPE', 'RCPT TO', 538), 'outage'],
  ['550 5.4.5 for DATA, a quota used up', answered('EENVELOPE', 'DATA', 550, '5.4.5'), 'temporary'],
  ['550 5.7.1 after the body, a policy', answered('EMESSAGE', 'DATA', 550, '5.7.1'), 'temporary'],
  ['550 5.1.8 for the recipient, our domain not found', answered('EENVELOPE', 'RCPT TO', 550, '5.1.8'), 'temporary'],
  ['550 5.1.7 for the recipient, our address not valid', answered('EENVELOPE', 'RCPT TO', 550, '5.1.7'), 'temporary'],
  ['554 5.3.2 for the recipient, no mails taken now', answered('EENVELOPE', 'RCPT TO', 554, '5.3.2'), 'temporary'],
  ['552 5.2.2 for the recipient, whose mailbox is full', answered('EENVELOPE', 'RCPT TO', 552, '5.2.2'), 'temporary'],
  ['552 5.3.4 after the body, which is too large', answered('EMESSAGE', 'DATA', 552, '5.3.4'), 'permanent'],
  ['554 5.6.0 after the body, which is not understood', answered('EMESSAGE', 'DATA', 554, '5.6.0'), 'permanent'],
  ['554 for DATA', answered('EENVELOPE', 'DATA', 554), 'permanent'],
  ['451 for DATA', answered('EENVELOPE', 'DATA', 451), 'temporary'],
  ['554 after the body', answered('EMESSAGE', 'DATA', 554), 'permanent'],
  ['552 after the body', answered('EMESSAGE', 'DATA', 552), 'permanent'],
  ['451 after the body', answered('EMESSAGE', 'DATA', 451), 'temporary'],
  ['421 after the body', answered('EMESSAGE', 'DATA', 421), 'outage'],
  ['550 for our address', answered('EENVELOPE', 'MAIL FROM', 550), 'outage'],
  ['530 for our address, sign-in wanted', answered('EENVELOPE', 'MAIL FROM', 530), 'outage'],
  ['451 for our address', answered('EENVELOPE', 'MAIL FROM', 451), 'outage'],
  ['535 for our credentials', answered('EAUTH', 'AUTH PLAIN', 535), 'outage'],
  ['454 for our credentials', answered('EAUTH', 'AUTH PLAIN', 454), 'outage'],
  ['554 as greeting', answered('EPROTOCOL', 'CONN', 554), 'outage'],
  ['421 as greeting', answered('EPROTOCOL', 'CONN', 421), 'outage'],
  ['502 for EHLO and HELO', answered('EPROTOCOL', 'HELO', 502), 'outage'],
  ['nobody listening', { code: 'ESOCKET', command: 'CONN' }, 'outage'],
  ['a name that does not resolve', { code: 'EDNS', command: 'CONN' }, 'outage'],
  ['no answer in time', { code: 'ETIMEDOUT', command: 'CONN' }, 'outage'],
  ['a connection that was dropped', { code: 'ECONNECTION', command: 'CONN' }, 'outage'],
  ['a certificate that does not hold', { code: 'ETLS', command: 'CONN' }, 'outage'],
  ['credentials that are missing', { code: 'ENOAUTH' }, 'outage'],
  ['a send that met its deadline', { code: 'EABORT' }, 'temporary'],
  ['a body that could not be read', { code: 'ESTREAM', command: 'API' }, 'temporary'],
  ['a file that is missing', { code: 'ENOENT' }, 'temporary'],
  ['an error without a code', {}, 'temporary'],
];

describe('the result of a send that failed', () => {
  for (const [name, details, result] of cases) {
    it(`is ${result} on ${name}`, () => {
      expect(classifyMailError(mailError(details)).result).to.equal(result);
    });
  }

  it('is temporary on a connection that broke over the body, whatever broke it', () => {
    for (const code of ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'ETLS']) {
      const error = new InterruptedMailError(mailError({ code, command: 'CONN' }));
      expect(classifyMailError(error)).to.deep.equal({ result: 'temporary', answer: code });
    }
  });

  it('is an outage on a mail that was held back', () => {
    expect(classifyMailError(new MailHeldBackError())).to.deep.equal({ result: 'outage', answer: 'MailHeldBackError' });
  });

  it('is temporary on what is no error', () => {
    for (const thrown of [undefined, null, 'a text', { code: 'EENVELOPE', responseCode: 550 }]) {
      expect(classifyMailError(thrown)).to.deep.equal({ result: 'temporary', answer: 'unknown' });
    }
  });

  it('comes with the answer of the server, else the code, else the name', () => {
    expect(classifyMailError(mailError(answered('EENVELOPE', 'RCPT TO', 550))).answer).to.equal('550 said the server');
    expect(classifyMailError(mailError({ code: 'ESOCKET' })).answer).to.equal('ESOCKET');
    const unknownIssuer = mailError({ code: 'ESOCKET', originalCode: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(classifyMailError(unknownIssuer).answer).to.equal('SELF_SIGNED_CERT_IN_CHAIN');
    expect(classifyMailError(new TypeError('words')).answer).to.equal('TypeError');
  });
});
