import { brand } from '@dune-tide/domain/brand';
import { stack } from '../../../src/browser/browser-suite.ts';
import { deleteLeads, storeLeads } from '@dune-tide/testkit/leads';
import { until } from '@dune-tide/testkit/until';
import {
  respondingWith,
  callsOf,
  cells,
  fields,
  leadId,
  leadPath,
  leadsPath,
  projectValues,
  rows,
  storeFewLeads,
  tryAgain,
} from '../../../src/browser/leads-page.ts';
import {
  closeDialog,
  dialog,
  focused,
  onStaffPage,
  press,
  untilClosed,
  untilToast,
} from '../../../src/browser/staff.ts';
import { expect } from 'chai';

/** Encoded as in the browser's address bar; the server knows none of them. */
const unknownIds = [leadId('fff'), 'abc', '%00', '..%2f..%2fstats'];

const callFor = (lead: string) => `/api/admin/leads/${encodeURIComponent(decodeURIComponent(lead))}`;

describe('The leads page with a few leads', () => {
  before(storeFewLeads);
  after(() => deleteLeads(stack().database));

  describe('the details', () => {
    it(
      'open with a click anywhere on a row',
      onStaffPage(leadsPath, async ({ page }) => {
        await page.getByRole('table').getByText('noura@example.com').click();
        await dialog(page).getByText('First line').waitFor();
      }),
    );

    it(
      'stay closed when text in a row is selected',
      onStaffPage(leadsPath, async ({ page }) => {
        const address = page.getByRole('table').getByText('noura@example.com');
        // Waits until the row has stopped moving.
        await address.hover();
        const { x, y, width } = (await address.boundingBox()) ?? expect.fail();
        await page.mouse.move(x + 2, y + 8);
        await page.mouse.down();
        await page.mouse.move(x + width - 10, y + 8);
        await page.mouse.up();
        expect(await page.evaluate(() => String(getSelection()))).to.include('@example');
        expect(new URL(page.url()).pathname).to.equal(leadsPath);
      }),
    );

    it(
      'open in a new tab with Control and a click',
      onStaffPage(leadsPath, async ({ page, context }) => {
        await page
          .getByRole('table')
          .getByText('thabo@example.com')
          .click({ modifiers: ['Control'] });
        // Playwright misses some tabs that open in the background on a busy machine, so the browser is asked.
        const browser = await (context.browser() ?? expect.fail()).newBrowserCDPSession();
        await until('a tab with the details', async () =>
          (await browser.send('Target.getTargets')).targetInfos.some(({ url }) =>
            url.endsWith(leadPath(leadId('008'))),
          ),
        );
        await browser.detach();
        expect(new URL(page.url()).pathname).to.equal(leadsPath);
      }),
    );

    it(
      'have their own address, so open, Back, Forward and close use the history',
      onStaffPage(leadsPath, async ({ page }) => {
        await cells(page);
        const calls = callsOf(page);
        await page.getByRole('link', { name: 'View Noura al-Harbi' }).click();
        expect(await fields(page)).to.deep.equal({
          'First name': 'Noura',
          'Last name': 'al-Harbi',
          Email: 'noura@example.com',
          Service: 'Lead Generation Systems',
          Received: 'Mar 07, 2026 12:00',
          Message: 'First line\nsecond line',
        });
        expect(new URL(page.url()).pathname).to.equal(leadPath(leadId('007')));
        expect(await page.title()).to.equal(`Noura al-Harbi – Leads – ${brand.name} Admin`);
        await page.goBack();
        await untilClosed(page);
        expect(new URL(page.url()).pathname).to.equal(leadsPath);
        expect(await page.title()).to.equal(`Leads – ${brand.name} Admin`);
        await page.goForward();
        await press(dialog(page), 'Send Email');
        await dialog(page).getByLabel('Message').fill('Half a letter');
        await page.goBack();
        await press(dialog(page), 'Discard');
        expect(await fields(page), 'Back from the reply shows the details').to.include({ 'First name': 'Noura' });
        // The second Escape precedes the history event of the first.
        await page.evaluate(() => {
          for (const key of ['Escape', 'Escape']) {
            document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          }
        });
        await untilClosed(page);
        expect(new URL(page.url()).pathname).to.equal(leadsPath);
        const ofTable = calls.filter((call) => !/\/history$|\/leads\?email=/.test(call));
        expect(ofTable, 'the data of the table is not requested again').to.deep.equal([]);
      }),
    );

    it(
      'show each field of inquiries and applications, with links only to web addresses',
      onStaffPage(leadPath(leadId('008')), async ({ page }) => {
        expect(await fields(page)).to.deep.equal({
          Name: 'Thabo Nkosi',
          Email: 'thabo@example.com',
          Company: 'Cape Roasters',
          'Phone number': '+27 21 555 0102',
          Service: 'Video Testimonials',
          'Service type': 'UGC Creatives',
          'Budget range': '$50,000+',
          Timeframe: '1-2 weeks',
          'Urgency level': 'Critical - ASAP required',
          Received: 'Mar 07, 2026 12:00',
          Updated: 'Mar 07, 2026 15:30',
          'Project details': 'Ten films.\n\nThen ten more.',
          Goals: 'More calls.',
        });
        const hrefs = () =>
          dialog(page)
            .locator('section[aria-label="Answers"] dl a')
            .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
        expect(await hrefs()).to.deep.equal(['mailto:thabo@example.com', 'tel:+27215550102']);
        await dialog(page).getByRole('button', { name: 'Close' }).last().click();
        await untilClosed(page);
        expect(await focused(page), 'closing a directly opened lead focuses its row').to.equal('View Thabo Nkosi');

        await page.getByRole('link', { name: 'View Zoë Botha' }).click();
        expect(await fields(page)).to.deep.equal({
          'First name': 'Zoë',
          'Last name': 'Botha',
          Email: 'zoe@example.com',
          'Phone number': '+27 21 555 0101',
          Position: 'Other / General Application',
          'Experience level': 'Senior Level (5+)',
          Portfolio: 'https://work.example.com/zoe',
          Received: 'Mar 07, 2026 12:00',
          'Cover letter': 'Dear studio,\n\nI finish what I begin.',
        });
        const link = dialog(page).getByRole('link', { name: 'https://work.example.com/zoe' });
        expect(await link.getAttribute('rel')).to.equal('noopener noreferrer nofollow');
        await closeDialog(page);

        await page.getByRole('link', { name: 'View Sipho Dlamini' }).click();
        expect(await fields(page)).to.include({ Resume: 'javascript:alert(1)', 'Phone number': 'please write' });
        expect(await hrefs(), 'neither is a link').to.deep.equal(['mailto:sipho@example.com']);
        await closeDialog(page);

        await page.getByRole('link', { name: 'View Lerato Mokoena' }).click();
        const all = await fields(page);
        expect(Object.keys(all).slice(2, 7)).to.deep.equal([
          'Business description',
          'Project description',
          'Specific features',
          'Success criteria',
          'Competitors',
        ]);
        expect(all).to.include({ 'Business description': projectValues.businessDescription, Company: 'Not given' });
      }),
    );

    const turned = 'https://evil.example/\u202Egpj.exe';
    it(
      'show the destination of a link, regardless of the direction of its text',
      onStaffPage(
        leadPath(leadId('00a')),
        async ({ page }) => {
          const link = dialog(page).getByRole('link', { name: 'https://evil.example/%E2%80%AEgpj.exe', exact: true });
          expect(await link.getAttribute('href')).to.equal('https://evil.example/%E2%80%AEgpj.exe');
          const isolation = await dialog(page)
            .getByRole('heading', { level: 2 })
            .locator('bdi > span')
            .evaluateAll((parts) => parts.map((part) => [part.textContent, getComputedStyle(part).unicodeBidi]));
          expect(isolation).to.deep.equal([
            ['\u202Enimda', 'plaintext'],
            ['van der Merwe', 'plaintext'],
          ]);
          await stack()
            .database('leads')
            .where({ id: leadId('00a') })
            .delete();
        },
        {
          prepare: () =>
            storeLeads(stack().database, [
              {
                id: leadId('00a'),
                kind: 'career_application',
                email: 'turned@example.com',
                fields: {
                  firstName: '\u202Enimda',
                  lastName: 'van der Merwe',
                  phone: '+27 21 555 0101',
                  position: 'other',
                  experience: 'senior',
                  portfolioUrl: turned,
                  coverLetter: 'Dear studio',
                },
              },
            ]),
        },
      ),
    );

    const failing = respondingWith(({ pathname }) => pathname === `/api/admin/leads/${leadId('001')}`, [503]);
    it(
      'load a lead by its id if opened from an email, and lead to the email dialog and the table',
      onStaffPage(
        leadPath(leadId('001')),
        async ({ page }) => {
          await dialog(page).getByText('Could not load the lead.').waitFor();
          expect(failing.made).to.have.length(1);
          await tryAgain(page).click();
          const request = {
            Email: 'priya@example.com',
            Source: 'Portfolio on the home page',
            Received: 'Mar 07, 2026 05:00',
          };
          expect(await fields(page)).to.deep.equal(request);

          await press(dialog(page), 'Send Email');
          expect(await dialog(page).getByLabel('Subject').inputValue()).to.equal(`Re: Your inquiry - ${brand.name}`);
          await press(dialog(page), 'Send');
          await untilToast(page, 'Email sent to priya@example.com successfully.');
          expect(await fields(page)).to.deep.equal(request);

          await closeDialog(page);
          expect(new URL(page.url()).pathname).to.equal(leadsPath);
          expect(await rows(page).count()).to.equal(8);
          expect(await focused(page), 'it has no row').to.equal('CRM & Lead Management');
        },
        { prepare: failing.prepare, failing: [`/api/admin/leads/${leadId('001')}`] },
      ),
    );

    it(
      'confirm each copy of the email address for a short time',
      onStaffPage(
        leadPath(leadId('009')),
        async ({ page }) => {
          const copy = dialog(page).getByRole('button', { name: 'Copy the address' });
          await copy.waitFor();
          const icon = await copy.innerHTML();
          for (const time of ['first', 'second']) {
            await copy.click();
            await dialog(page).getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
            expect(await copy.innerHTML(), `after the ${time} copy`).to.not.equal(icon);
            await dialog(page).getByText('Copied', { exact: true }).waitFor({ state: 'detached' });
            expect(await copy.innerHTML()).to.equal(icon);
          }
          expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal('zoe@example.com');
          await dialog(page)
            .locator('dd')
            .getByRole('status')
            .evaluate((status) => {
              const heard: string[] = [];
              Object.assign(window, { heard });
              new MutationObserver(() => heard.push(status.textContent)).observe(status, { childList: true });
            });
          for (const copies of [1, 2]) {
            await copy.click();
            await page.waitForFunction((expected) => {
              const { heard } = window as unknown as { heard: string[] };
              return heard.filter((each) => each === 'Copied').length === expected;
            }, copies);
          }
        },
        { prepare: (context) => context.grantPermissions(['clipboard-read', 'clipboard-write']) },
      ),
    );

    it(
      'show a message for an unknown lead, whatever the address',
      onStaffPage(
        leadsPath,
        async ({ page }) => {
          for (const wrong of unknownIds) {
            const responded = page.waitForResponse((response) => new URL(response.url()).pathname === callFor(wrong));
            await page.evaluate((address) => {
              history.pushState(null, '', address);
              dispatchEvent(new PopStateEvent('popstate'));
            }, leadPath(wrong));
            expect((await responded).status()).to.equal(404);
            await dialog(page).getByText('Lead not found.').waitFor();
          }
          await press(dialog(page), 'Show all leads');
          await untilClosed(page);
          expect(new URL(page.url()).pathname).to.equal(leadsPath);
          expect(await focused(page)).to.equal('CRM & Lead Management');
        },
        {
          failing: unknownIds.map(callFor),
        },
      ),
    );
  });
});
