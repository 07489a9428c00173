/*
 * Meanings of the rejections of mail servers. Servers send the same codes for different reasons, and many send no enhanced
 * status (RFC 3463), so their words decide first. `worker` decides by it about retries, and the staff area explains it.
 */

/** The reason of a rejection. */
export type MailRejection = keyof typeof mailRejections;

/**
 * The sentence that explains a rejection to staff, and its retries if the code is permanent (RFC 5321 §4.2.1, 5yz):
 * - `schedule`: those of a temporary rejection, because it is about our server, a quota or a policy, not the address
 * - `few`: some, because it says that it is temporary
 * - `none`: the server will never accept this email
 */
export const mailRejections = {
  unknownAddress: { retries: 'none', sentence: 'This address does not exist.' },
  disabledMailbox: { retries: 'none', sentence: 'This mailbox is disabled.' },
  fullMailbox: { retries: 'schedule', sentence: 'The mailbox is full.' },
  limit: { retries: 'schedule', sentence: 'The mail server accepts no more emails from us for now.' },
  sender: { retries: 'schedule', sentence: 'The mail server does not trust our address or our server.' },
  policy: { retries: 'schedule', sentence: 'The mail server blocked the email, by a blocklist or a policy.' },
  unavailable: { retries: 'schedule', sentence: 'The mail server does not accept emails at the moment.' },
  greylisting: { retries: 'schedule', sentence: 'The mail server asked to try again later.' },
  temporary: { retries: 'few', sentence: 'The mail server asked to try again later.' },
  tooLarge: { retries: 'none', sentence: 'The email is too large for the mail server.' },
  other: { retries: 'none', sentence: 'The mail server rejected the email.' },
} as const satisfies Readonly<
  Record<string, { readonly retries: 'schedule' | 'few' | 'none'; readonly sentence: string }>
>;

/** Patterns for words in lower case, without accents. */
type Patterns = readonly (readonly [MailRejection, RegExp])[];

const mailbox = '(?:mail ?box|in ?box|account|address|user|recipient|maildir|usuario|konto)';

/** Words that decide whatever the enhanced status is. The first match decides. Words have lost their accents: й is и. */
const decisiveWords: Patterns = [
  // Many servers reply so before they look at the recipient, and some of these mention unknown users.
  ['limit', /\btoo many\b(?! hops)|\btoo (?:much|fast)\b|\btrop de\b/],
  [
    'limit',
    /\b(?:rates?|daily|hourly|sending|outbound|outgoing|messages?|e?-?mails?|recipients?|connections?|volume|submissions?|bandwidth|per (?:hour|day|minute))\b(?:(?!size).){0,60}\b(?:limits?|limited|limitation|throttl\w+)\b/,
  ],
  ['limit', /\b(?:frequency|rate)[ -]?(?:is )?limit|\bthrottl|\bexceed\w* .{0,40}\b(?:per|an?) (?:hour|day|minute)\b/],
  [
    'limit',
    /\b(?:limit|maximum) (?:number )?of (?:messages|e?-?mails|recipients|connections)\b|\bexceed\w* .{0,20}\bbandwidth\b/,
  ],
  [
    'limit',
    /\blimit\b.{0,60}\bper (?:hour|day|minute|session)\b|\bat a rate that\b|\bunusual (?:sending|rate)\b|\bzu ?viele\b/,
  ],
  ['limit', /\bquota\b.{0,30}\b(?:sender|sending|outgoing)\b|\bsendelimit\b|\blimite de (?:envio|envios|mensajes)\b/],

  ['sender', /\bsender(?:'s)?\b.{0,20}\b(?:rejected|refused|denied|unknown|verif\w+|invalid|domain|not)\b/],
  ['sender', /\b(?:domain|address) of (?:the )?sender\b|\b(?:invalid|unknown|bad|unverified|envelope) sender\b/],
  ['sender', /\b(?:verif(?:y|ying|ication)\b.{0,30}\bfailed|verification failed|callback setup|callout)\b/],
  ['sender', /\b(?:spf|dkim|dmarc|sender policy framework)\b|\bsender id\b|\bunauthenticated (?:e?-?mail|message)/],
  ['sender', /\b(?:ptr|rdns|reverse(?:[ -]?dns)?|reverse (?:hostname|lookup|host|record)|forward[ -]confirmed)\b/],
  [
    'sender',
    /\b(?:helo|ehlo|fully[ -]qualified|rcpthosts)\b|\brelay(?:ing)?\b.{0,20}\b(?:denied|not|disallowed|prohibited|refused)\b/,
  ],
  [
    'sender',
    /\b(?:unable|not (?:allowed|permitted|authori[sz]ed)|attempt|refus\w+|do(?:es)? not|don't) (?:to )?relay|\b(?:no|open|configured to) relay(?:ing)?\b/,
  ],
  [
    'sender',
    /\brequires? (?:smtp )?(?:authentication|auth|tls|starttls|encryption)\b|\bdomainkeys?\b|\bauthentication (?:is )?required\b/,
  ],
  [
    'sender',
    /\byour (?:e?-?mail |sending |outgoing )?(?:account|domain|address|mailbox)\b.{0,60}\b(?:suspend|disabl|block|lock|not|banned)/,
  ],

  ['policy', /\bspamhaus|\bspamcop|\bsorbs\b|\buceprotect|\bbarracuda ?(?:central|reputation)|\b(?:dns|r|d|rh)bls?\b/],
  ['policy', /\b(?:black|block|deny)[ -]?list|\b(?:listed|listing) (?:in|on|by|at)\b|\breputation\b|\bbanned\b/],
  [
    'policy',
    /\bbad ip\b|\bdynamic[ -]ip\b|\bdue to abuse\b|\bpermanently deferred\b|\bhost\b.{0,20}\bdeferred\b|\bip\b.{0,20}\bdeferred\b/,
  ],
  ['policy', /\bblocked (?:using|by|for|because)\b|\b(?:ip|client|host|network|address)\b.{0,40}\bblocked\b/],

  [
    'fullMailbox',
    /\b(?:over|exceed\w*|reached|out of|exhausted)\b.{0,40}\b(?:quota|storage|disk ?space|space|mailbox size|size of the mailbox)\b|\boverquota\b/,
  ],
  [
    'fullMailbox',
    /\b(?:quota|storage|disk ?space|blocks|inode)s?(?: limit)?\b.{0,40}\b(?:exceed|exhaust|reach|full|over|violat)/,
  ],
  [
    'fullMailbox',
    new RegExp(
      `\\b(?:${mailbox}|mail ?folder)s?\\b.{0,40}\\b(?:full|overfull|over ?flow\\w*|exceeds (?:the |its )?allowed size|over (?:its|the) limit)\\b`,
    ),
  ],
  ['fullMailbox', /\b(?:full|overfull) (?:mail ?box|in ?box)|\binsufficient (?:disk|storage|system storage|space)/],
  [
    'fullMailbox',
    /\bmailbox size limit|\bno (?:space|room) left|\bnot enough (?:space|storage|disk)|\bexceeded storage\b|\bquota (?:erschopft|atteint)|\blimite de quota\b/,
  ],
  ['fullMailbox', /\bpostfach\b.{0,30}\bvoll\b|\bspeicherplatz\b|\bboite.{0,30}\bpleine\b|\bbuzon.{0,20}\blleno\b/],
  [
    'fullMailbox',
    /\bcaixa.{0,20}\bcheia\b|\bcasella.{0,20}\bpiena\b|\b(?:cuota|cota|quota) (?:excedida|superata|depassee)/,
  ],
  [
    'fullMailbox',
    /\bskrzynka.{0,20}\bpe[lł]na|ящик.{0,20}(?:переполнен|заполнен)|邮箱.{0,6}满|容量.{0,6}(?:超|オーバー)/,
  ],

  ['greylisting', /\bgr[ae]y-?\s?list/],

  [
    'unknownAddress',
    /\b(?:no|not an?|not our|no longer an?|unknown|invalid|wrong|non-?existent|bad|illegal)[ -](?:or (?:unknown|invalid|illegal) |such |valid |known |local |destination |virtual |e?-?mail |rcpt |to )*(?:user|mail ?box|mail drop|account|recipient|address|alias|person|domain|host|addressee|local part|employee|customer)s?\b(?! (?:authentic|agent|disk|space))/,
  ],
  [
    'unknownAddress',
    /\b(?:user|mail ?box|account|recipient|address|addressee|alias|domain|host|name|people|person)s?\b.{0,50}\b(?:unknown|not found|(?:does not|doesn't|do not|not|no longer) exist\w*|isn't (?:known|here)|not (?:known|here|listed in|recogni[sz]ed|valid|a member)|(?:are |is )?invalid|no longer (?:valid|on|accepts?)|cannot be verified)\b/,
  ],
  [
    'unknownAddress',
    /\bno mailbox (?:here )?by that name|\bunrouteable\b|\bunroutable\b|\bnull mx\b|\b(?:recipientnotfound|recipnotfound|userunknown|address_not_found)\b/,
  ],
  ['unknownAddress', /\b(?:doesn't|does not|do not|don't) have (?:an? |any )?\S* ?(?:account|mailbox|user)\b/],
  [
    'unknownAddress',
    /\b(?:we )?(?:weren't|were not) able to find\b|\bdomain does not accept mail\b|\bn(?:o|ot) .{0,20}\baccount here\b/,
  ],
  [
    'unknownAddress',
    /\b(?:benutzer|empfanger|adressat|adresse|postfach)\b.{0,40}\b(?:unbekannt|existiert nicht|nicht gefunden|nicht vorhanden|ungultig)/,
  ],
  [
    'unknownAddress',
    /\b(?:utilisateur|destinataire|adresse)\b.{0,30}\b(?:inconnu\w*|invalide|n'existe pas|inexistant\w*)/,
  ],
  [
    'unknownAddress',
    /\b(?:usuario|destin\w*\.?|utente|conta|cuenta|caixa postal|casella|buzon|direccion|indirizzo)\b.{0,30}\b(?:desconocid|desconhecid|sconosciut|no existe|nao existe|inesistente|errato|inexistente|non esist|no encontrad|nao encontrad)/,
  ],
  [
    'unknownAddress',
    /\b(?:gebruiker|ontvanger)\b.{0,20}\bonbekend|\b(?:kullan[iı]c[iı]|al[iı]c[iı]) bulunamad|\bnie (?:istnieje|znaleziono|ma takiego)/,
  ],
  [
    'unknownAddress',
    /(?:пользовател|получател|адрес|ящик).{0,30}(?:не наиден|не существует|неизвест)|(?:用户|收件人|邮箱|帐号).{0,6}(?:不存在|未找到)|宛先不明|ユーザー?が?見つかりません/,
  ],

  [
    'temporary',
    /\btry (?:it )?(?:again|later)\b(?! with)|\bretry (?:again|later|in \d)|\bcome back later\b|\btemporar(?:y|ily)\b/,
  ],

  [
    'disabledMailbox',
    new RegExp(
      `\\b${mailbox}\\b.{0,60}\\b(?:disabled|discontinued|deactivated|inactive|not active|suspended|closed|terminated|locked|expired|deleted|removed|cancell?ed|no longer active|not activated|due to inactivity|inactivo|deaktiviert|desactivee?|nieaktywn\\w*)\\b`,
    ),
  ],
  ['disabledMailbox', /\b(?:disabled|inactive|deactivated|suspended|closed) (?:user|mail ?box|account|recipient)\b/],
];

/** Enhanced statuses (RFC 3463, and those of Microsoft and Google). */
const statuses: Patterns = [
  ['sender', /^5\.1\.[78]$/],
  ['limit', /^5\.(?:1\.90|2\.12[12]|4\.5)$/],
  ['fullMailbox', /^5\.2\.2$/],
  ['tooLarge', /^5\.(?:2\.3|3\.4)$/],
  ['disabledMailbox', /^5\.2\.1$/],
  ['unavailable', /^5\.3\./],
  ['policy', /^5\.7\./],
  ['temporary', /^4\./],
  // 5.4.1 is how Microsoft rejects an unknown recipient, with the words "Access denied".
  ['unknownAddress', /^5\.(?:1\.\d+|4\.[14])$/],
];

/** Words that decide only if the enhanced status does not. */
const weakWords: Patterns = [
  [
    'tooLarge',
    /\b(?:too (?:large|big|long)|(?:message|mail|e?-?mail|maximum|max|fixed)[ -]?size|size (?:limit|exceed)|exceeds? .{0,30}\bsize)\b/,
  ],
  ['policy', /spam|\bunsolicited\b|\bjunk\b|\bbulk mail\b|\bsuspicious|\bsuspicion\b|\bphish|\bvirus\b/],
  [
    'policy',
    /\bpolic(?:y|ies)\b|\bsecurity regulations\b|\b(?:dy|ou|sc)-00\d\b|\bprohibit|\bblocked\b|\bnot (?:allowed|authori[sz]ed|permitted)\b|\bcontact your (?:isp|postmaster)/,
  ],
  [
    'policy',
    /\b(?:access|mail|message|e?-?mail) (?:is )?denied\b|\bdenied\b$|\bcontent (?:denied|rejected)|\bask your postmaster|\b(?:mi|dt|rp|hl):[a-z]{3}\b|\bofr_\d/,
  ],
  [
    'unavailable',
    /\b(?:service|system|server)\b.{0,20}\b(?:unavailable|not available|busy|overloaded|load)\b|\bread-only\b|\btoo busy\b/,
  ],
  [
    'unknownAddress',
    /\b(?:mail ?box|account) (?:is )?(?:unavailable|not available|name not allowed)\b|\buser not local\b/,
  ],
];

/** A reply line's code, and the enhanced status that may follow it. */
const lineStart = /^[245]\d\d(?:[ -]|$)(?:[245]\.\d{1,3}\.\d{1,3}(?!\d)[ :]?)?/gm;

/**
 * Returns what a mail server meant by a rejection.
 * @param response - the whole response: one line or several, each with its code
 */
export function readMailRejection(response: string): MailRejection {
  const status =
    /^[45]\d\d[ -]([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(response)?.[1] ??
    // qmail puts the status at the end.
    /\(?#([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(response)?.[1] ??
    '';
  const words = wordsOf(response);
  return (
    firstMatch(decisiveWords, words) ??
    firstMatch(statuses, status) ??
    firstMatch(weakWords, words) ??
    // RFC 5321 §4.2.3 has 552 for a mailbox without space.
    (response.startsWith('552') ? 'fullMailbox' : 'other')
  );
}

const firstMatch = (patterns: Patterns, text: string): MailRejection | undefined =>
  patterns.find(([, pattern]) => pattern.test(text))?.[0];

/** Returns the words of a response on one line, without addresses, which visitors choose, and the paths of links. */
function wordsOf(response: string): string {
  return response
    .slice(0, longestRead)
    .replace(lineStart, '')
    .replaceAll(/https?:\/\/([^\s/]+)\S*/gi, ' $1 ')
    .replaceAll(/<[^<>\n]*>|[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+/g, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}

/** The patterns take more than linear time, and a response can have any length. */
const longestRead = 1_000;
