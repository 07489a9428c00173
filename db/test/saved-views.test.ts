import { randomUUID } from 'node:crypto';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { personalData } from '../src/personal-data/personal-data.ts';
import { retentionStart, retentionStore } from '../src/personal-data/retention.ts';
import { fieldsOf, insert, leadRow, staffRow, viewRow } from './rows.ts';

const email = 'noura@example.com';
const phone = '+966 55 918 2734';
/** A name of words that the names of views consist of. */
const name = 'Urgent Riyadh Town Mobile website week leads overdue contact';

describe('the saved views of all accounts', () => {
  const test = withTestDatabase();
  let accounts: string[];
  beforeEach(async () => {
    await test().database.raw('truncate leads, staff cascade');
    accounts = [];
    for (let index = 0; index < 2; index++) {
      accounts.push(String((await insert(test().database, 'staff', staffRow()))['id']));
    }
  });

  const storeLead = async (overrides: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const answers = JSON.stringify({ ...fieldsOf('service_inquiry'), name, phone });
    return String(
      (await insert(test().database, 'leads', leadRow('service_inquiry', { email, answers, ...overrides })))['id'],
    );
  };
  const saveView = (account: number, viewName: string, search = ''): Promise<unknown> =>
    insert(test().database, 'lead_views', viewRow(accounts[account] ?? '', { name: viewName, search }));
  const views = async (): Promise<unknown[]> =>
    (await test().database('lead_views').orderBy('name').select('name', 'search')).map(Object.values);

  const people = () => personalData(test().app);
  const erasures: Readonly<Record<string, (leadId: string) => Promise<unknown>>> = {
    'an erasure': () => people().erase(email.toUpperCase(), 'operator'),
    'a withdrawal': (leadId) => people().eraseLead(leadId),
    retention: async (leadId) => {
      const old = { created_at: '2020-01-01', updated_at: '2020-01-01' };
      await test().database('leads').where({ id: leadId }).update(old);
      await retentionStore(test().app).eraseSome(
        { leads: 12, applications: 12 },
        { ...retentionStart, kind: 'service_inquiry' },
      );
    },
  };
  for (const [what, erase] of Object.entries(erasures)) {
    it(`lose only the address and the number of a person by ${what}`, async () => {
      const leadId = await storeLead();
      await saveView(0, 'Urgent leads', 'q=riyadh+website&status=new');
      await saveView(0, 'Town', `q=${encodeURIComponent(`mobile ${email}`)}&status=new&sort=due`);
      await saveView(0, `Ask ${email.toUpperCase()} again`, 'response=overdue');
      await saveView(1, phone, 'q=00966559182734');
      await saveView(1, email, `status=won&email=${email}&response=soon`);
      await saveView(1, 'Saved view', 'q=xnoura%40example.com');
      await erase(leadId);
      expect(await test().database('leads').where({ id: leadId })).to.deep.equal([]);
      expect(await views()).to.deep.equal([
        ['Ask again', 'response=overdue'],
        ['Saved view', 'q=xnoura%40example.com'],
        ['Saved view 2', ''],
        ['Saved view 3', 'status=won&response=soon'],
        ['Town', 'q=mobile&status=new&sort=due'],
        ['Urgent leads', 'q=riyadh+website&status=new'],
      ]);
    });
  }

  it('keep an address that another lead has, until that lead is withdrawn too', async () => {
    const [first, second] = [await storeLead(), await storeLead()];
    await saveView(0, 'One client', `email=${email}`);
    await people().eraseLead(first);
    expect(await views()).to.deep.equal([['One client', `email=${email}`]]);
    await people().eraseLead(second);
    expect(await views()).to.deep.equal([['One client', '']]);
  });

  it('are counted before the erasure as they are changed by it', async () => {
    await storeLead();
    await saveView(0, name.slice(0, 60), 'q=riyadh');
    await saveView(0, 'A number', 'q=0559182734');
    await saveView(1, 'An id', `owner=${randomUUID()}`);
    expect(await people().count(email)).to.include({ savedViews: 1 });
    expect((await people().erase(email, 'operator')).erased).to.include({ savedViews: 1 });
  });
});
