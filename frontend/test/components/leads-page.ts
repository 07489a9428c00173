import { screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { Lead } from '@dune-tide/domain/responses/lead';
import { application, contact, inquiry, serveLeads } from './lead-server.ts';
import { click, openStaffPage, textsOf } from './staff-area.tsx';

export const path = '/admin/leads';
export const list = 'GET /api/admin/leads';

/** The leads of the page, newest first. */
export const [zoe, thabo, noura, lerato] = [
  application(),
  inquiry({ status: 'qualified' }),
  contact(),
  inquiry({
    email: 'lerato@example.com',
    name: 'Lerato Mokoena',
    company: null,
    service: 'Project Inquiry',
    serviceType: 'MVP Development',
    urgency: 'Low',
    status: 'lost',
  }),
];

/** Serves the leads of the page to the tests of one `describe`. */
export function serveLeadsPage() {
  const leads = serveLeads();
  beforeEach(() => void leads.store<Lead>(zoe, thabo, noura, lerato));
  return {
    ...leads,
    /** Returns the queries of the calls that load the list. */
    listCalls: () =>
      leads.server.calls
        .filter(({ call, search }) => call === list && !search.includes('limit=1') && !search.includes('email='))
        .map(({ search }) => search),
  };
}

/** Opens the page and waits for its list. */
export async function open(search = ''): Promise<void> {
  await openStaffPage(path + search);
  await waitFor(() => {
    expect(document.querySelector('[role="tabpanel"]')).to.not.equal(null);
    expect(document.querySelector('output[aria-label="Loading leads"]')).to.equal(null);
  });
}

export const rows = () => [...document.querySelectorAll<HTMLElement>('[role="tabpanel"] tbody tr')];
export const names = () => textsOf('tbody [data-column="name"]');
export const untilNames = (expected: readonly string[]) => waitFor(() => expect(names()).to.deep.equal(expected));
export const tab = (name: string) => screen.getByRole('tab', { name: new RegExp(`^${name}`) });

/** Opens a tab. */
export async function choose(name: string): Promise<void> {
  await click(tab(name));
  await waitFor(() => expect(tab(name).getAttribute('aria-selected')).to.equal('true'));
}
