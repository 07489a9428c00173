import { expect } from 'chai';
import { mailRejections, readMailRejection, type MailRejection } from '../src/mail-rejections.ts';

/** Responses of real servers, and variants of them. The names in them are replaced. */
const responses: Readonly<Record<MailRejection, readonly string[]>> = {
  unknownAddress: [
    // Postfix
    '550 5.1.1 <noura@visitor.example>: Recipient address rejected: User unknown in local recipient table',
    '550 5.1.1 <quota-full@visitor.example>: Recipient address rejected: User unknown in virtual mailbox table',
    '550 <noura@visitor.example>: Recipient address rejected: undeliverable address: User doesn’t exist',
    '550 5.1.2 <noura@visitor.example>: Recipient address rejected: Domain not found',
    '550 5.7.1 <noura@visitor.example>: Recipient address rejected: User unknown in relay recipient table',
    // Exim
    '550 Unrouteable address',
    '550 unknown user',
    '550 No Such User Here',
    '550-No such person at this address\r\n550 Please check the spelling',
    // Sendmail
    '550 5.1.1 <noura@visitor.example>... User unknown',
    '550 5.1.2 <noura@visitor.example>... Host unknown (Name server: visitor.example: host not found)',
    '553 5.3.0 <noura@visitor.example>... No such user here',
    // qmail
    '550 sorry, no mailbox here by that name. (#5.1.1)',
    '511 sorry, no mailbox here by that name (#5.1.1 - chkuser)',
    // Exchange and Office 365
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient noura@visitor.example not found by SMTP address lookup',
    '550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [AM7EUR06FT010.eop.example]',
    '550 5.4.1 [noura@visitor.example]: Recipient address rejected: Access denied',
    '550 5.1.351 Remote server returned unknown recipient or mailbox unavailable',
    // Outlook.com
    '550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [BN8NAM11.olc.example]',
    '550 Requested action not taken: mailbox unavailable',
    // Gmail
    '550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550-5.1.1 double-checking the recipient’s email address for typos or\r\n550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser - gsmtp',
    '550-The email account that you tried to reach does\n550 not exist.',
    '553 5.1.2 We weren’t able to find the recipient domain. Please check for any spelling errors',
    // Yahoo and AOL
    '554 delivery error: dd This user doesn’t have a yahoo.com account (noura@visitor.example) [-5] - mta1.yahoo.example',
    '552 1 Requested mail action aborted, mailbox not found',
    '550 5.1.1 <noura@visitor.example>: Recipient address rejected: aol.com',
    // iCloud, Zoho, Yandex, mail.ru, GMX
    '550 5.1.1 unknown or illegal alias: noura@visitor.example',
    '541 5.4.1 Recipient rejected',
    '550 User does not exist - <noura@visitor.example>',
    '550 5.7.1 No such user!',
    '550 Message was not accepted -- invalid mailbox. Local mailbox noura@visitor.example is unavailable: user not found',
    // Mimecast, Proofpoint, Barracuda
    '550 Invalid Recipient - https://community.mimecast.example/docs/DOC-1369#550 [xyz.uk123]',
    '550 5.1.1 User Unknown',
    '550 permanent failure for one or more recipients (noura@visitor.example:550 5.1.1 Recipient not found)',
    '550 noura@visitor.example: Recipient address rejected: No such user (noura@visitor.example)',
    // Others
    '550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. LPN416_418',
    '550 5.1.1 Benutzer unbekannt',
    '550 Empfänger existiert nicht',
    '550 Utilisateur inconnu',
    '550 Usuário desconhecido',
    '550 La cuenta de correo no existe',
    '550 Utente sconosciuto',
    '550 Kullanıcı bulunamadı',
    '550 Пользователь не найден',
    '550 用户不存在',
    '550 User not found: noura@visitor.example',
    '556 5.1.10 Recipient address has null MX',
    '556 Domain does not accept mail',
    '551 User not local; please try <forward-path>',
    '550 UNKNOWN USER',
    '550 No such user. Please try again with another address.',
  ],
  disabledMailbox: [
    '550 5.2.1 The email account that you tried to reach is disabled. https://support.google.com/mail/?p=DisabledUser',
    '554 delivery error: dd Sorry your message to noura@visitor.example cannot be delivered. This account has been disabled or discontinued [#102].',
    '554 30 Sorry, your message to noura@visitor.example cannot be delivered. This mailbox is disabled (554.30).',
    '550 5.2.1 <noura@visitor.example>: Recipient address rejected: Mailbox disabled, not accepting messages',
    '550 Account Inactive',
    '550 User account closed',
    '554 5.2.1 STOREDRV.Deliver.Exception:AccountDisabledException.MapiExceptionMailboxDisabled; Failed to process message',
    '550 Mailbox suspended',
  ],
  fullMailbox: [
    '552 Mailbox full',
    '550 over quota',
    '552 5.2.2 <noura@visitor.example>: user is over quota',
    '552-5.2.2 The recipient’s inbox is out of storage space and inactive. Please direct\r\n552 5.2.2 the recipient to https://support.google.com/mail/?p=OverQuotaPerm',
    '554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiExceptionShutoffQuotaExceeded',
    '554 5.2.2 STOREDRV; Failed to process message due to a permanent exception with message',
    '552 5.2.2 Mailbox size limit exceeded 1708691454-XSXCAq5Oeu',
    '552 Requested mail action aborted: exceeded storage allocation',
    '552 1 Requested mail action aborted, exceeded storage allocation - MailBox Full',
    '554 Recipient’s mailbox is full, message returned to sender. (#5.2.2)',
    '550 Quota exceeded. The recipients mailbox is full.',
    '552 Quota violation for noura@visitor.example',
    '550 5.1.1 Mailbox quota exceeded',
    '550 Blocks limit exceeded in the maildir',
    '550 the account exceeded its storage limit',
    '452 4.2.2 The email account that you tried to reach is over quota',
    '550 Das Postfach ist voll',
    '552 La boîte aux lettres est pleine',
    '550 Buzón lleno',
    '550 Caixa postal cheia',
    '550 Casella di posta piena',
    '550 Skrzynka pocztowa jest pełna',
    '550 Почтовый ящик переполнен',
    '550 邮箱空间已满',
    '552 said the server',
  ],
  limit: [
    '550 Too many mails from your host today',
    '550 daily sending limit exceeded',
    '550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\r\n550 5.4.5 sending limits go to https://support.google.com/a/answer/166852',
    '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\r\n550 5.2.1 prevents additional messages from being delivered.',
    '550 5.1.90 Your message can’t be sent because you’ve reached your daily limit for message recipients',
    '550 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour',
    '550 5.4.6 Unusual sending activity detected. Please try after sometime',
    '550 Domain example.com has exceeded the max emails per hour (200/200 (100%)) allowed. Message discarded.',
    '550 Domain frequency limited [noura]',
    '554 Exceeding outbound thread limit',
    '550 Too many invalid recipients',
    '550 Too many unknown users from your address',
    '550 Message rate limit reached for this host',
    '552 Too many recipients',
    '554 5.7.0 Your message was throttled',
    '550 Connection rate limit exceeded, user unknown attempts counted',
    '571 Sie haben zu viele Nachrichten gesendet: Too many messages',
  ],
  sender: [
    '550 SPF check failed',
    '550 5.7.23 The message was rejected because of Sender Policy Framework violation',
    '550-5.7.26 Unauthenticated email from example.com is not accepted due to domain’s\r\n550 5.7.26 DMARC policy. Please contact the administrator of example.com domain',
    '550-5.7.25 The IP address sending this message does not have a PTR record setup, or\r\n550 5.7.25 the corresponding forward DNS entry does not point to the sending IP.',
    '550 SPF Sender Invalid - envelope rejected',
    '550 DKIM: encountered the following problem validating dune.example: signature did not verify',
    '550 DMARC Sender Invalid - envelope rejected',
    '550 5.1.0 <hello@dune.example>: Sender address rejected: User unknown in virtual mailbox table',
    '553 5.1.8 <hello@dune.example>... Domain of sender address hello@dune.example does not exist',
    '550-Verification failed for <hello@dune.example>\r\n550-No Such User Here\r\n550 Sender verify failed',
    '550 Callback setup failed while verifying <hello@dune.example>',
    '504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname',
    '550 5.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.7]',
    '550 Reverse DNS lookup failed for host 192.0.2.7',
    '554 5.7.1 <noura@visitor.example>: Relay access denied',
    '550 5.7.64 TenantAttribution; Relay Access Denied',
    '553 sorry, that domain isn’t in my list of allowed rcpthosts (#5.7.1)',
    '550 relay not permitted',
    '553 Relaying disallowed as hello@dune.example',
    '550 Your account has been suspended for sending spam',
    '550 5.7.1 The SPF record of the domain does not exist',
  ],
  policy: [
    '554 blocked using zen.spamhaus.org',
    '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.7',
    '550 Rejected because 192.0.2.7 is in a black list at zen.spamhaus.org',
    '554 Service unavailable; Client host [mail.dune.example] blocked using Barracuda Reputation; http://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.7',
    '550 SC-001 (COL004-MC4F35) Unfortunately, messages from 192.0.2.7 weren’t sent. Please contact your Internet service provider since part of their network is on our block list.',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.7]. To request removal from this list please visit https://sender.office.com/',
    '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.',
    '550-5.7.1 [192.0.2.7] Our system has detected that this message is\r\n550 5.7.1 likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked.',
    '553 5.7.2 [TSS09] All messages from 192.0.2.7 will be permanently deferred; Retrying will NOT succeed.',
    '554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes',
    '554 Message not allowed - [PH01] Email not accepted for policy reasons.',
    '554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137',
    '550 5.7.0 Blocked - see https://support.proofpoint.com/dnsbl-lookup.cgi?ip=192.0.2.7',
    '550 csi.mimecast.org Poor Reputation Sender. - https://community.mimecast.example/docs/DOC-1369#550',
    '550 Local CT IP Reputation - (reject)',
    '550 Rejected by header based Anti-Spoofing policy',
    '550 Administrative prohibition - envelope blocked',
    '554 Email rejected due to security policies',
    '554 rejected due to spam content',
    '550 High probability of spam',
    '550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=1 or report details',
    '550 Access from ip address 192.0.2.7 blocked. Visit http://help.mail.ru/mail/',
    '554 5.7.1 [1] Message rejected under suspicion of SPAM; https://ya.cc/1IrBc 1708691454-XSX',
    '554 IP=192.0.2.7 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.example to clarify.)',
    '550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]',
    '554 DT:SPM 163 smtp12,wKgAAA',
    '550 Mail content denied',
    '550 5.7.1 Requested action not taken: mailbox unavailable',
    '550 https://www.spamhaus.org/query/ip/192.0.2.7',
    '554 Denied: your IP has a bad Reputation',
  ],
  greylisting: [
    '550 Greylisted, please try again in 300 seconds',
    '554 Recipient address rejected: Grey-listed',
    '550 5.7.1 GRAYLISTED - retry in 5 minutes',
  ],
  temporary: [
    '550 5.1.1 Mailbox temporarily not available',
    '550 Mailbox is temporarily disabled',
    '553 Service is busy. Retry later.',
    '550 4.2.0 Requested action not taken',
    '554 Message refused for now, come back later',
    '550 Local problem, please try it later',
  ],
  unavailable: [
    '554 5.3.2 STOREDRV.Deliver; not accepting messages',
    '550 System is overloaded',
    '554 Account service is in read-only mode',
  ],
  tooLarge: [
    '552 5.3.4 Message size exceeds fixed maximum message size',
    '552 sorry, that message size exceeds my databytes limit (#5.3.4)',
    '552 Message size exceeds maximum permitted',
    '554 Maximum email size reached',
    '550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient',
    '552 message too big',
  ],
  other: [
    '550 said the server',
    '554 Transaction failed',
    '554 5.6.0 Malformed message',
    '554 The retry limit is reached',
    '550 Rejected: see the list of entries',
    '554 5.4.6 Too many hops',
    '550 <try-again-later@visitor.example> rejected',
    '550 quota-exceeded@visitor.example',
    '',
  ],
};

describe('the reading of a mail server’s rejection', () => {
  for (const [rejection, texts] of Object.entries(responses)) {
    it(`finds "${rejection}" in the words of real servers, in lower and in upper case`, () => {
      const misread = texts
        .flatMap((text) => [text, text.toUpperCase()])
        .map((text) => [readMailRejection(text), text])
        .filter(([read]) => read !== rejection);
      expect(misread).to.deep.equal([]);
    });
  }

  it('tries again whatever is about quotas, limits, our server or policies, and no unknown address', () => {
    const retries = (rejection: MailRejection): string => mailRejections[rejection].retries;
    expect(
      (['fullMailbox', 'limit', 'sender', 'policy', 'greylisting', 'unavailable'] as const).map(retries),
    ).to.deep.equal(Array.from({ length: 6 }, () => 'schedule'));
    expect((['unknownAddress', 'disabledMailbox', 'tooLarge', 'other'] as const).map(retries)).to.deep.equal(
      Array.from({ length: 4 }, () => 'none'),
    );
  });

  it('takes little time for a long response', () => {
    const startedAt = performance.now();
    for (const word of ['mailbox ', 'sender ', 'user account ', 'a', ' ', '<', '550-x\n']) {
      readMailRejection(`550 ${word.repeat(100_000)}`);
    }
    expect(performance.now() - startedAt).to.be.below(1_000);
  });
});
