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

/** An error with the properties that nodemailer sets. */
const mailError = (details: Details): Error => Object.assign(new Error('text that is ignored'), details);

/**
 * The details of a server's response.
 * @param status - the enhanced status (RFC 3463), which not all servers send
 */
const rejection = (code: string, command: string, responseCode: number, status = ''): Details => ({
  code,
  command,
  responseCode,
  response: `${responseCode} ${status === '' ? '' : `${status} `}said the server`,
});

const cases: readonly (readonly [string, Details, FailureResult])[] = [
  ['550 for the recipient', rejection('EENVELOPE', 'RCPT TO', 550), 'permanent'],
  ['553 for the recipient', rejection('EENVELOPE', 'RCPT TO', 553), 'permanent'],
  ['500 for the recipient', rejection('EENVELOPE', 'RCPT TO', 500), 'permanent'],
  ['499 for the recipient', rejection('EENVELOPE', 'RCPT TO', 499), 'temporary'],
  ['450 for the recipient', rejection('EENVELOPE', 'RCPT TO', 450), 'temporary'],
  ['452 for the recipient', rejection('EENVELOPE', 'RCPT TO', 452), 'temporary'],
  ['421 for the recipient', rejection('EENVELOPE', 'RCPT TO', 421), 'outage'],
  ['503 for the recipient, bad sequence of commands', rejection('EENVELOPE', 'RCPT TO', 503), 'temporary'],
  ['550 5.1.1 for the recipient, who is unknown', rejection('EENVELOPE', 'RCPT TO', 550, '5.1.1'), 'permanent'],
  ['550 5.2.1 for the recipient, who is disabled', rejection('EENVELOPE', 'RCPT TO', 550, '5.2.1'), 'permanent'],
  ['554 5.7.1 for the recipient, relaying denied', rejection('EENVELOPE', 'RCPT TO', 554, '5.7.1'), 'temporary'],
  ['530 5.7.0 for the recipient, authentication required', rejection('EENVELOPE', 'RCPT TO', 530, '5.7.0'), 'outage'],
  ['530 for DATA, authentication required', rejection('EENVELOPE', 'DATA', 530), 'outage'],
  [
    '534 for the recipient, another authentication mechanism required',
    rejection('EENVELOPE', 'RCPT TO', 534),
    'outage',
  ],
  ['538 for the recipient, encryption required for authentication', rejection('EENVELOPE', 'RCPT TO', 538), 'outage'],
  ['550 5.4.5 for DATA, quota exceeded', rejection('EENVELOPE', 'DATA', 550, '5.4.5'), 'temporary'],
  ['550 5.7.1 after the body, rejected by a policy', rejection('EMESSAGE', 'DATA', 550, '5.7.1'), 'temporary'],
  ['550 5.1.8 for the recipient, our domain not found', rejection('EENVELOPE', 'RCPT TO', 550, '5.1.8'), 'temporary'],
  ['550 5.1.7 for the recipient, our address not valid', rejection('EENVELOPE', 'RCPT TO', 550, '5.1.7'), 'temporary'],
  [
    '554 5.3.2 for the recipient, no emails accepted at the moment',
    rejection('EENVELOPE', 'RCPT TO', 554, '5.3.2'),
    'temporary',
  ],
  ['552 5.2.2 for the recipient, whose mailbox is full', rejection('EENVELOPE', 'RCPT TO', 552, '5.2.2'), 'temporary'],
  ['552 5.3.4 after the body, which is too large', rejection('EMESSAGE', 'DATA', 552, '5.3.4'), 'permanent'],
  ['554 5.6.0 after the body, which is malformed', rejection('EMESSAGE', 'DATA', 554, '5.6.0'), 'permanent'],
  ['554 for DATA', rejection('EENVELOPE', 'DATA', 554), 'permanent'],
  ['451 for DATA', rejection('EENVELOPE', 'DATA', 451), 'temporary'],
  ['554 after the body', rejection('EMESSAGE', 'DATA', 554), 'permanent'],
  ['552 after the body', rejection('EMESSAGE', 'DATA', 552), 'temporary'],
  ['451 after the body', rejection('EMESSAGE', 'DATA', 451), 'temporary'],
  ['421 after the body', rejection('EMESSAGE', 'DATA', 421), 'outage'],
  ['550 for our address', rejection('EENVELOPE', 'MAIL FROM', 550), 'outage'],
  ['530 for our address, authentication required', rejection('EENVELOPE', 'MAIL FROM', 530), 'outage'],
  ['451 for our address', rejection('EENVELOPE', 'MAIL FROM', 451), 'outage'],
  ['535 for our credentials', rejection('EAUTH', 'AUTH PLAIN', 535), 'outage'],
  ['454 for our credentials', rejection('EAUTH', 'AUTH PLAIN', 454), 'outage'],
  ['554 as greeting', rejection('EPROTOCOL', 'CONN', 554), 'outage'],
  ['421 as greeting', rejection('EPROTOCOL', 'CONN', 421), 'outage'],
  ['502 for EHLO and HELO', rejection('EPROTOCOL', 'HELO', 502), 'outage'],
  ['a refused connection', { code: 'ESOCKET', command: 'CONN' }, 'outage'],
  ['a name that does not resolve', { code: 'EDNS', command: 'CONN' }, 'outage'],
  ['a timeout', { code: 'ETIMEDOUT', command: 'CONN' }, 'outage'],
  ['a dropped connection', { code: 'ECONNECTION', command: 'CONN' }, 'outage'],
  ['an invalid certificate', { code: 'ETLS', command: 'CONN' }, 'outage'],
  ['missing credentials', { code: 'ENOAUTH' }, 'outage'],
  ['a send that exceeded its deadline', { code: 'EABORT' }, 'temporary'],
  ['an unreadable body', { code: 'ESTREAM', command: 'API' }, 'temporary'],
  ['a missing file', { code: 'ENOENT' }, 'temporary'],
  ['an error without a code', {}, 'temporary'],
  ...(
    [
      ['552 Mailbox full', 'temporary'],
      ['550 over quota', 'temporary'],
      ['550 Too many mails from your host today', 'temporary'],
      ['550 daily sending limit exceeded', 'temporary'],
      ['554 blocked using zen.spamhaus.org', 'temporary'],
      ['550 SPF check failed', 'temporary'],
      ['550 Greylisted, please try again in 300 seconds', 'temporary'],
      ['553 Service is busy. Retry later.', 'doubtful'],
      ['550 4.2.0 Requested action not taken', 'doubtful'],
      ['550 No such user', 'permanent'],
      ['550 5.7.1 No such user!', 'permanent'],
      ['550 5.2.1 The account is disabled', 'permanent'],
      ['550 Unrouteable address', 'permanent'],
    ] as const
  ).map(
    ([response, result]) =>
      [
        `“${response}”`,
        { code: 'EENVELOPE', command: 'RCPT TO', responseCode: Number(response.slice(0, 3)), response },
        result,
      ] as const,
  ),
];

describe('the result of a failed send', () => {
  for (const [name, details, result] of cases) {
    it(`is ${result} after ${name}`, () => {
      expect(classifyMailError(mailError(details)).result).to.equal(result);
    });
  }

  it('is temporary after a connection that broke during the body, whatever the code', () => {
    for (const code of ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'ETLS']) {
      const error = new InterruptedMailError(mailError({ code, command: 'CONN' }));
      expect(classifyMailError(error)).to.deep.equal({ result: 'temporary', serverResponse: code });
    }
  });

  it('is an outage if the email was aborted because of its lease', () => {
    expect(classifyMailError(new MailHeldBackError())).to.deep.equal({
      result: 'outage',
      serverResponse: 'MailHeldBackError',
    });
  });

  it('is temporary if the thrown value is not an error', () => {
    for (const thrown of [undefined, null, 'a text', { code: 'EENVELOPE', responseCode: 550 }]) {
      expect(classifyMailError(thrown)).to.deep.equal({ result: 'temporary', serverResponse: 'unknown' });
    }
  });

  it('includes the response of the server, else the code, else the name', () => {
    expect(classifyMailError(mailError(rejection('EENVELOPE', 'RCPT TO', 550))).serverResponse).to.equal(
      '550 said the server',
    );
    expect(classifyMailError(mailError({ code: 'ESOCKET' })).serverResponse).to.equal('ESOCKET');
    const unknownIssuer = mailError({ code: 'ESOCKET', originalCode: 'SELF_SIGNED_CERT_IN_CHAIN' });
    expect(classifyMailError(unknownIssuer).serverResponse).to.equal('SELF_SIGNED_CERT_IN_CHAIN');
    expect(classifyMailError(new TypeError('words')).serverResponse).to.equal('TypeError');
  });
});
