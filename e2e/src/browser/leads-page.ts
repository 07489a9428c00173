import { composeProjectDetails } from '@dune-tide/domain/forms/project-inquiry';
import type { Page } from 'playwright-core';
import { stack } from './browser-suite.ts';
import { deleteLeads, storeLeads, type TestLead } from '@dune-tide/testkit/leads';
import { dialog } from './staff.ts';

/** Path of the leads page (docs/PRODUCT.md, "Leads page"). */
export const leadsPath = '/admin/leads';

/** Returns the path of the page with one lead open. */
export const leadPath = (id: string): string => `${leadsPath}/${id}`;

/** Path of the call that lists the leads. */
const listCall = '/api/admin/leads';
/** The call that lists all leads. */
export const allLeadsCall = `${listCall}?spam=without`;

/** Returns whether a call lists the leads of the table, whatever their kind. */
export const isListCall = (url: URL): boolean =>
  url.pathname === listCall && url.searchParams.get('spam') === 'without';

export const tabNames = ['All', 'Contact Forms', 'Service Inquiries', 'Career Applications'] as const;

/** Locates a tab; its text ends with the number of leads. */
const tab = (page: Page, name: (typeof tabNames)[number]) => page.getByRole('tab', { name: new RegExp(`^${name}`) });

/** Opens a tab and waits for its list. */
export async function choose(page: Page, name: (typeof tabNames)[number]): Promise<void> {
  await tab(page, name).click();
  await page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true }).waitFor();
}

export const rows = (page: Page) => page.locator('tbody tr');
/** Returns the cell texts of the rows, without the checkbox and the actions. */
export async function cells(page: Page): Promise<string[][]> {
  await rows(page).first().waitFor();
  return page.evaluate(() =>
    [...document.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll<HTMLElement>('td:not(:first-child, :last-child)')].map((cell) => cell.innerText),
    ),
  );
}

/** Returns what the visitor of the open lead sent. */
export async function fields(page: Page): Promise<Record<string, string>> {
  await dialog(page).locator('dl').first().waitFor();
  return page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLElement>('[role="dialog"] [aria-label="Answers"] dt')].map((label) => [
        label.innerText,
        (label.nextElementSibling as HTMLElement).innerText.trim(),
      ]),
    ),
  );
}

/** Records the API calls of a page from now on, as path and query string. */
export function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== '/api/admin/session') calls.push(pathname + search);
  });
  return calls;
}

/** The values of the fields that only a project inquiry has. */
const projectValues = {
  businessDescription: 'We roast coffee\nin Woodstock.',
  projectDescription: 'We want a shop.',
  specificFeatures: 'Subscriptions and gift cards.',
  successCriteria: 'A third of sales online.',
  competitors: 'The roaster next door.',
};

const inquiryValues = {
  service: 'Video Testimonials',
  serviceType: 'UGC Creatives',
  urgency: 'Critical - ASAP required',
  budget: '$50,000+',
  timeframe: '1-2 weeks',
  projectDetails: 'Ten films.\n\nThen ten more.',
};

/** Returns the id of one of the few leads. @param last - its last three digits */
export const leadId = (last: string) => `0192f0c1-2b7e-7c3a-9d53-6f2a10b7c${last}`;

/** Returns a time on the day when the few leads arrived. */
const at = (time: string) => new Date(`2026-03-07T${time}Z`);

/** Newest first; three have the same time and are ordered by id. */
const few: readonly (TestLead & { readonly id: string })[] = [
  {
    id: leadId('009'),
    kind: 'career_application',
    email: 'zoe@example.com',
    createdAt: at('12:00:00.001'),
    fields: {
      firstName: 'Zoë',
      lastName: 'Botha',
      phone: '+27 21 555 0101',
      position: 'other',
      experience: 'senior',
      portfolioUrl: 'https://work.example.com/zoe',
      coverLetter: 'Dear studio,\n\nI finish what I begin.',
    },
  },
  {
    id: leadId('008'),
    kind: 'service_inquiry',
    email: 'thabo@example.com',
    status: 'qualified',
    createdAt: at('12:00:00.000'),
    updatedAt: at('15:30:00.000'),
    fields: {
      name: 'Thabo Nkosi',
      company: 'Cape Roasters',
      phone: '+27 21 555 0102',
      goals: 'More calls.',
      ...inquiryValues,
    },
  },
  {
    id: leadId('007'),
    kind: 'contact',
    email: 'noura@example.com',
    createdAt: at('12:00:00.000'),
    fields: { firstName: 'Noura', lastName: 'al-Harbi', service: 'leadgen', message: 'First line\nsecond line' },
  },
  {
    id: leadId('006'),
    kind: 'career_application',
    email: 'sipho@example.com',
    createdAt: at('12:00:00.000'),
    fields: {
      firstName: 'Sipho',
      lastName: 'Dlamini',
      phone: 'please write',
      position: 'Full Stack Developer',
      experience: 'entry',
      resumeUrl: 'javascript:alert(1)',
      coverLetter: 'Dear studio',
    },
  },
  {
    id: leadId('005'),
    kind: 'service_inquiry',
    email: 'lerato@example.com',
    createdAt: at('09:00:00.000'),
    fields: {
      ...inquiryValues,
      ...projectValues,
      name: 'Lerato Mokoena',
      service: 'Project Inquiry',
      serviceType: 'MVP Development',
      urgency: 'Low',
      projectDetails: composeProjectDetails(projectValues),
      goals: projectValues.successCriteria,
    },
  },
  {
    id: leadId('001'),
    kind: 'portfolio_request',
    email: 'priya@example.com',
    createdAt: at('05:00:00.000'),
    fields: { source: 'portfolio_view' },
  },
];

/** Replaces all leads with these few. */
export async function storeFewLeads(): Promise<void> {
  const { database } = stack();
  await deleteLeads(database);
  // They are months old, and an unanswered one would be overdue.
  await storeLeads(
    database,
    few.map((lead) => ({ answeredAt: lead.createdAt ?? null, ...lead })),
  );
}
