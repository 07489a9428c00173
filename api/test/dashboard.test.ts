import { randomUUID } from 'node:crypto';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { leadStatuses, type LeadStatus } from '@dune-tide/domain/leads';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { withSession } from './staff-support.ts';
import { publicForms, withTestApi } from './support.ts';

type Item = Record<string, unknown>;

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the dashboard', () => {
  const api = withTestApi();
  const staff = withSession(api);
  beforeEach(async () => {
    await api().clear();
    await api().database('recipes').delete();
  });

  async function storeInquiries(counts: Partial<Record<LeadStatus, number>>): Promise<void> {
    const rows = leadStatuses.flatMap((status) =>
      Array.from({ length: counts[status] ?? 0 }, () => ({
        id: randomUUID(),
        kind: 'service_inquiry',
        email: 'faisal@example.com',
        status,
        answers: JSON.stringify(validExample(serviceInquiryForm)),
      })),
    );
    await api().database('leads').insert(rows);
  }

  /** Stores accounts that are deleted after each test, so that only the signed-in account remains. */
  async function storeStaff(...accounts: Item[]): Promise<void> {
    await api()
      .database('staff')
      .insert(
        accounts.map((account) => ({
          username: `of-a-test-${randomUUID()}`,
          name: 'Noura al-Harbi',
          password_hash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
          ...account,
        })),
      );
  }
  afterEach(() => api().database('staff').where('username', 'like', 'of-a-test-%').delete());

  describe('GET /stats', () => {
    const stats = async (): Promise<Item> => {
      const answer = await staff().get('/stats');
      expect(answer.status, answer.text).to.equal(200);
      return answer.json() as Item;
    };

    it('returns four numbers, with a rate of 0 without inquiries', async () => {
      const answered = await stats();
      expect(answered).to.have.all.keys('totalLeads', 'activeProjects', 'teamMembers', 'conversionRate');
      expect(answered).to.include({ totalLeads: 0, activeProjects: 0, conversionRate: 0 });
    });

    it('counts messages, inquiries and applications, but not portfolio requests', async () => {
      for (const { form, path } of publicForms) await api().post(path, validExample(form));
      expect(publicForms).to.have.length(6);
      expect(await stats()).to.include({ totalLeads: 5, activeProjects: 0, conversionRate: 0 });
    });

    it('counts won inquiries as projects, and returns their percentage with one decimal', async () => {
      await storeInquiries({ new: 1, contacted: 0, qualified: 0, lost: 1, won: 1 });
      await api().post('/api/contact', validExample(contactForm));
      expect(await stats()).to.include({ totalLeads: 4, activeProjects: 1, conversionRate: 33.3 });

      await api().database('leads').where({ status: 'lost' }).update({ status: 'won' });
      expect(await stats()).to.include({ totalLeads: 4, activeProjects: 2, conversionRate: 66.7 });

      await api().database('leads').where({ kind: 'service_inquiry' }).update({ status: 'won' });
      expect(await stats()).to.include({ activeProjects: 3, conversionRate: 100 });
    });

    it('counts the active accounts', async () => {
      const { teamMembers: before } = await stats();
      await storeStaff({}, {}, { is_active: false });
      expect(await stats()).to.include({ teamMembers: Number(before) + 2 });
    });
  });

  describe('GET /recent-activity', () => {
    /** Leaves out the sign-ins, unless a test is about them: the client of the tests has signed in as well. */
    const activity = async ({ signIns = false } = {}): Promise<Item[]> => {
      const answer = await staff().get('/recent-activity');
      expect(answer.status, answer.text).to.equal(200);
      return (answer.json() as Item[]).filter(({ type }) => signIns || type !== 'signed_in');
    };
    const titles = (items: readonly Item[]): unknown[] => items.map(({ title }) => title);

    it('returns an empty array without activity', async () => {
      expect(await activity()).to.deep.equal([]);
    });

    it('has the name and the id of each kind of lead', async () => {
      for (const { form, path } of publicForms.filter((_, index) => [0, 1, 2, 4].includes(index))) {
        const { id } = (await api().post(path, validExample(form))).json() as Item;
        const [latest] = await activity();
        expect(latest).to.have.all.keys('id', 'type', 'title', 'createdAt');
        expect(latest).to.include({ id });
        expect(latest?.['createdAt']).to.match(isoTime);
      }
      expect((await activity()).map(({ type, title }) => [type, title])).to.deep.equal([
        ['service_inquiry', 'Service inquiry from Faisal Qahtani'],
        ['career_application', "Career application from Thabo O'Neill"],
        ['contact', 'Contact message from Noura al-Harbi'],
        ['portfolio_request', 'Portfolio request from noura@example.com'],
      ]);
    });

    it('has added and changed recipes, each entry with its own id', async () => {
      const added = (await staff().post('/recipes', validExample(recipeForm))).json() as Item;
      expect((await activity()).map(({ type }) => type)).to.deep.equal(['recipe_added']);

      await staff().patch(`/recipes/${String(added['id'])}`, { title: 'Ship it in two days' });
      const items = await activity();
      // Both may have the same time in milliseconds, so their order is not fixed.
      expect(items.map(({ type }) => type)).to.have.members(['recipe_updated', 'recipe_added']);
      expect(titles(items)).to.have.members([
        'Recipe updated: Ship it in two days',
        'Recipe added: Ship it in two days',
      ]);
      expect(new Set(items.map(({ id }) => id)).size).to.equal(2);
    });

    it('has the accounts that signed in, and none that never did', async () => {
      await storeStaff({ name: 'Reem', last_sign_in_at: new Date(Date.now() + 60_000) }, { name: 'Lerato' });
      const items = await activity({ signIns: true });
      expect(items[0]).to.include({ type: 'signed_in', title: 'Reem signed in' });
      expect(items[0]?.['createdAt']).to.match(isoTime);
      expect(titles(items)).to.not.include('Lerato signed in');
    });

    it('has the latest twenty entries, newest first', async () => {
      const start = Date.UTC(2027, 0, 1);
      const answers = { contact: validExample(contactForm), service_inquiry: validExample(serviceInquiryForm) };
      const leads = Array.from({ length: 60 }, (_, index) => {
        const kind = index % 2 === 0 ? 'contact' : 'service_inquiry';
        return {
          id: randomUUID(),
          kind,
          email: 'noura@example.com',
          status: kind === 'contact' ? null : 'new',
          answers: JSON.stringify(answers[kind]),
          created_at: new Date(start + index * 1000),
        };
      });
      await api().database('leads').insert(leads);
      await staff().post('/recipes', validExample(recipeForm));

      const items = await activity({ signIns: true });
      expect(items.map(({ id }) => id)).to.deep.equal(
        leads
          .slice(-20)
          .toReversed()
          .map(({ id }) => id),
      );
    });

    it('has names as they were typed', async () => {
      const name = `<b>"Zoë" & 'O''Neill'</b>`;
      await api().post('/api/contact', { ...validExample(contactForm), firstName: name, lastName: 'سارة' });
      expect(titles(await activity())).to.deep.equal([`Contact message from ${name} سارة`]);
    });
  });
});
