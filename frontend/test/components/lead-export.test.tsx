import { act, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { problemTypes } from '@dune-tide/domain/responses/problem';
import { list, noura, open, path, serveLeadsPage } from './leads-page.ts';
import { focused, listOf, me, openStaffPage, press, refusal } from './staff-area.tsx';

const csv = 'GET /api/admin/leads.csv';

describe('The export of the leads page', () => {
  const leads = serveLeadsPage();
  const { server } = leads;

  let restore = (): void => undefined;
  afterEach(() => restore());

  let isCancelled = false;
  /** Serves the first lead, and then nothing until the export is cancelled. */
  const serveFirst = () => {
    isCancelled = false;
    server.answers[csv] = ({ signal }) =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('kind\r\ncontact\r\n'));
            signal.addEventListener('abort', () => {
              isCancelled = true;
              controller.error(new DOMException('cancelled', 'AbortError'));
            });
          },
        }),
      );
  };

  it('shows its progress, and can be cancelled', async () => {
    serveFirst();
    await open('?status=qualified');
    await press('Export CSV');
    await screen.findByText('1 exported');
    expect(screen.getByRole('progressbar', { name: 'Export' }).getAttribute('aria-valuenow')).to.equal('100');
    expect(server.last(csv)?.search).to.equal('?status=qualified&spam=without');
    await press('Cancel export');
    await screen.findByRole('button', { name: 'Export CSV' });
    expect(isCancelled).to.equal(true);
    expect(focused()).to.equal('Export CSV');
  });

  it('is not available to a member above the limit, and says why', async () => {
    server.answers['GET /api/admin/session'] = () => ({ ...me, role: 'member' });
    const next = '</api/admin/leads?cursor=x>; rel="next"';
    // The next page does not arrive.
    server.answers[list] = ({ search }) =>
      search.includes('cursor')
        ? new Promise(() => undefined)
        : listOf([noura], { 'X-Total-Count': '501', Link: next });
    await openStaffPage(path);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Export CSV' });
    await waitFor(() => expect(button.isConnected && button.disabled).to.equal(true));
    const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(reason?.textContent).to.equal('Only an owner can export more than 500 leads.');
  });

  it('explains a refusal to a member, also that of the next file within an hour', async () => {
    server.answers['GET /api/admin/session'] = () => ({ ...me, role: 'member' });
    await open();
    server.once(csv, () => refusal(403, { type: problemTypes.owner_needed }));
    await press('Export CSV');
    await screen.findByText('Only an owner can export more than 500 leads. Choose fewer by a filter.');
    const limit = { type: problemTypes.limit_reached, detail: 'You can export 5 files in an hour.' };
    server.once(csv, () => refusal(429, limit, { 'Retry-After': '1200' }));
    await press('Export CSV');
    await screen.findByText(/^You can export 5 files in an hour\. Please try again in 20 minutes, at \d\d:\d\d\.$/);
  });

  it('asks an owner for the password where it is needed, and goes on', async () => {
    serveFirst();
    const served = server.answers[csv];
    server.answers[csv] = () => refusal(403, { type: problemTypes.password_needed });
    server.answers['POST /api/admin/account/confirm'] = () => {
      if (served) server.answers[csv] = served;
      return undefined;
    };
    await open();
    await press('Export CSV');
    const prompt = await screen.findByRole('dialog', { name: 'Enter your password' });
    const field = prompt.querySelector('[name="password"]');
    await act(async () => void (field && fireEvent.change(field, { target: { value: 'an old boat' } })));
    await act(async () => void fireEvent.submit(within(prompt).getByRole('form')));
    await screen.findByText('1 exported');
  });

  it('is cancelled when the user leaves the page', async () => {
    serveFirst();
    await open();
    await press('Export CSV');
    await screen.findByText('1 exported');
    expect(isCancelled).to.equal(false);
    await press('Recipes', screen, 'link');
    await screen.findByRole('heading', { level: 1, name: 'Recipe Management' });
    expect(isCancelled).to.equal(true);
  });

  it('is reported if it fails, also in the middle of the file, and stores no file', async () => {
    let stored = 0;
    // The function is inherited, so it is there again when this one is deleted.
    restore = () => void Reflect.deleteProperty(URL, 'createObjectURL');
    Object.defineProperty(URL, 'createObjectURL', { configurable: true, value: () => `blob:${++stored}` });
    await open();
    server.answers[csv] = () => refusal(503);
    await press('Export CSV');
    await screen.findByText('Other exports are running. Please try again in a minute.');
    server.answers[csv] = () => {
      throw new TypeError('The connection was reset');
    };
    await press('Export CSV');
    await screen.findByText('Could not export the leads. Please try again.');
    await screen.findByRole('button', { name: 'Export CSV' });
    server.answers[csv] = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('kind\r\ncontact\r\n')),
          pull: (controller) => controller.error(new TypeError('The connection was reset')),
        }),
      );
    await press('Export CSV');
    await waitFor(() => expect(server.count(csv)).to.equal(3));
    await screen.findByRole('button', { name: 'Export CSV' });
    expect(stored).to.equal(0);
  });
});
