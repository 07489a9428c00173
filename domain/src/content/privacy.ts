import { brand } from '../brand.ts';
import { receiptDays } from '../limits.ts';

/**
 * The facts on the page that settings of the server determine, with the text of the build. The server replaces it
 * (docs/PRODUCT.md, "Privacy notice"); an empty text renders nothing.
 */
export const privacyFacts = {
  'legal-entity': '',
  'privacy-officer': '',
  'postal-address': '',
  retention: `Write to ${brand.email} to learn how long we keep what you send us.`,
} as const;
export type PrivacyFact = keyof typeof privacyFacts;

/** Returns the sentence about the retention in force. 0 months keep the data. */
export function retentionText(months: number, applicationMonths: number): string {
  if (months === applicationMonths) return periodText('messages, inquiries, requests and applications', months);
  return [
    periodText('messages, inquiries and portfolio requests', months),
    periodText('applications', applicationMonths),
  ].join(' ');
}

function periodText(what: string, months: number): string {
  if (months === 0) return `We keep ${what} until you ask us to delete them.`;
  return `We delete ${what} ${months} ${months === 1 ? 'month' : 'months'} after the last change to them.`;
}

/** A part of the page. Each entry of `facts` is a paragraph before the texts. */
export interface PrivacySection {
  readonly id: string;
  readonly title: string;
  readonly facts?: readonly PrivacyFact[];
  readonly texts?: readonly string[];
  readonly list?: readonly string[];
  /** Texts after the list. */
  readonly end?: readonly string[];
}

/** The texts of /privacy, for visitors in Saudi Arabia, South Africa and the EU (docs/PRODUCT.md, "Privacy notice"). */
export const privacySections = [
  {
    id: 'who',
    title: 'Who is responsible',
    facts: ['legal-entity', 'postal-address', 'privacy-officer'],
    texts: [
      `${brand.name} is a digital studio in ${brand.cities.join(' and ')}. Write to ${brand.email} with any question about your data.`,
    ],
  },
  {
    id: 'what',
    title: 'What we collect',
    texts: ['You give us all of it yourself. Which details depends on the form:'],
    list: [
      'A message: your name, email address and what you write.',
      'An inquiry: also your company, phone number, budget and schedule, as far as you enter them.',
      'An application: also your phone number, your experience, and links to your portfolio and résumé.',
      'A portfolio request: your email address.',
    ],
    end: [
      'Fields with an asterisk are required. Without them we cannot answer you; leaving them out has no other consequence.',
      'To keep programs out, we check how a form was filled in, and count how many forms arrive from a network for up to a day. Our web server can log requests with their network addresses for a limited time. None of this is stored with your message. We set no cookies for visitors, use no analytics and load nothing from other companies.',
    ],
  },
  {
    id: 'why',
    title: 'Why, and on which legal basis',
    list: [
      'To answer you and prepare what you asked for: steps at your request before a contract (GDPR Article 6(1)(b); POPIA section 11(1)(b); PDPL Article 6).',
      'To protect our forms and to keep a record of who changed what: our legitimate interest in security (GDPR Article 6(1)(f); POPIA section 11(1)(f); PDPL Article 6).',
    ],
    end: [
      'We send no newsletters and no advertising. We do not sell your data, and no decision about you is made by a program alone.',
    ],
  },
  {
    id: 'how-long',
    title: 'How long we keep it',
    facts: ['retention'],
    texts: [
      'Deleted data can remain in backups for a limited time. If we restore a backup, what you asked us to delete is deleted again.',
    ],
  },
  {
    id: 'recipients',
    title: 'Who else receives it',
    texts: ['Our team reads it. These companies process it for us, under contract and only as we instruct them:'],
    list: [
      'the provider that runs our servers,',
      'the provider that delivers our email,',
      'the provider of the system in which we plan our work, if we connect one.',
    ],
    end: [
      `We work in ${brand.cities.join(' and ')}, so people in Saudi Arabia and South Africa can read your data, and providers may be in other countries. Where the law requires it, we use contracts that protect your data as at home (GDPR Article 46; POPIA section 72; PDPL Article 29). Write to us for a copy.`,
    ],
  },
  {
    id: 'rights',
    title: 'What you can ask of us',
    texts: ['You can ask us at any time, free of charge:'],
    list: [
      'which data we hold about you, and for a copy of it in a common format,',
      'to correct or complete it,',
      'to delete it,',
      'to restrict its use, or to stop using it because you object,',
      'to take back a consent, if you gave one.',
    ],
    end: [
      `Each confirmation that we send has a link to what you sent. For ${receiptDays} days you can withdraw and delete it there yourself. For anything else, write to ${brand.email}. We answer within 30 days, and may ask you to write from the address that you used.`,
    ],
  },
  {
    id: 'complain',
    title: 'How to complain',
    texts: ['Please write to us first, so that we can put it right. You can also complain to an authority:'],
    list: [
      'Saudi Arabia: Saudi Data and Artificial Intelligence Authority (SDAIA), dgp.sdaia.gov.sa',
      'South Africa: Information Regulator, inforegulator.org.za, POPIAComplaints@inforegulator.org.za',
      'EU and EEA: the data protection authority of the country in which you live or work, listed at edpb.europa.eu',
    ],
  },
] as const satisfies readonly PrivacySection[];
