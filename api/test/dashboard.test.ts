import { randomUUID } from 'node:crypto';
import { dashboardQueries } from '@dune-tide/db/leads';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { leadStatuses, type LeadStatus } from '@dune-tide/domain/leads';
import type { trendsResponse } from '@dune-tide/domain/responses/dashboard';
import type { Json } from '@dune-tide/domain/responses/schema';
import { validExample } from '@dune-tide/domain/test/examples';
import { contactMessage, storeLeads } from '@dune-tide/testkit/leads';
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
      const response = await staff().get('/stats');
      expect(response.status, response.text).to.equal(200);
      return response.json() as Item;
    };

    it('returns zeros, and null for what cannot be computed, without leads', async () => {
      const { teamMembers, ...others } = await stats();
      expect(teamMembers).to.be.a('number');
      expect(others).to.deep.equal({
        totalLeads: 0,
        activeProjects: 0,
        conversionRate: 0,
        needsAnswer: { overdue: 0, soon: 0, waiting: 0 },
        unowned: 0,
        onTimeRate: null,
        medianAnswerMinutes: null,
      });
    });

    it('counts the leads that need an answer, and how fast the others were answered', async () => {
      const at = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
      await storeLeads(api().database, [
        ...[1, 2, 21, 30].map((hours) => ({ ...contactMessage, createdAt: at(hours) })),
        { ...contactMessage, createdAt: at(31), answeredAt: at(30) },
        { ...contactMessage, createdAt: at(80), answeredAt: at(50) },
        { ...contactMessage, createdAt: at(3), ownerId: staff().account.id },
      ]);
      expect(await stats()).to.deep.include({
        needsAnswer: { overdue: 1, soon: 1, waiting: 3 },
        unowned: 4,
        onTimeRate: 33.3,
        medianAnswerMinutes: 930,
      });
    });

    it('counts won inquiries, but not other leads that were won', async () => {
      await storeInquiries({ new: 1, won: 1 });
      await storeLeads(api().database, [{ ...contactMessage, status: 'won' }]);
      expect(await stats()).to.include({ activeProjects: 1, conversionRate: 50 });
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
      const response = await staff().get('/recent-activity');
      expect(response.status, response.text).to.equal(200);
      return (response.json() as Item[]).filter(({ type }) => signIns || type !== 'signed_in');
    };
    const titles = (items: readonly Item[]): unknown[] => items.map(({ title }) => title);

    it('returns an empty array without activity', async () => {
      expect(await activity()).to.deep.equal([]);
    });

    it('has the name and the id of each kind of lead', async () => {
      for (const { form, path } of publicForms.filter((_, index) => [0, 1, 2, 4].includes(index))) {
        const { id } = (await api().post(path, validExample(form))).json() as Item;
        const [latest] = await activity();
        expect(latest).to.have.all.keys('id', 'type', 'title', 'leadId', 'createdAt');
        expect(latest).to.include({ id, leadId: id });
        expect(latest?.['createdAt']).to.match(isoTime);
      }
      expect((await activity()).map(({ type, title }) => [type, title])).to.deep.equal([
        ['service_inquiry', 'Service inquiry from Faisal Qahtani'],
        ['career_application', "Career application from Thabo O'Neill"],
        ['contact', 'Contact message from Noura al-Harbi'],
        ['portfolio_request', 'Portfolio request from noura@example.com'],
      ]);
    });

    it('has what staff did with leads', async () => {
      const { id = '' } = (await api().post('/api/contact', validExample(contactForm))).json() as { id?: string };
      const { id: accountId, name } = staff().account;
      const who = 'Noura al-Harbi';
      await staff().patch(`/leads/${id}`, { status: 'won', ownerId: accountId });
      await staff().patch(`/leads/${id}`, { ownerId: null, answered: false });
      await staff().patch(`/leads/${id}`, { answered: true });
      const note = (await staff().post(`/leads/${id}/notes`, { text: 'A note' })).json() as Item;
      await staff().patch(`/leads/${id}/notes/${String(note['id'])}`, { text: 'An edited note' });
      await staff().post(`/leads/${id}/spam`, undefined);
      await staff().post(`/leads/${id}/release`, undefined);
      const items = await activity();
      expect(new Set(items.map(({ leadId }) => leadId))).to.deep.equal(new Set([id]));
      expect(titles(items)).to.have.members([
        `${who} set to won by ${name}`,
        `${who} assigned to ${name} by ${name}`,
        `${who} unassigned by ${name}`,
        `${who} marked as not answered yet by ${name}`,
        `${who} marked as answered by ${name}`,
        `Note on ${who} by ${name}`,
        `${who} marked as spam by ${name}`,
        `${who} released from spam by ${name}`,
        `Contact message from ${who}`,
      ]);
      expect(titles(items)[0]).to.equal(`${who} released from spam by ${name}`);
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
      const fields = { contact: validExample(contactForm), service_inquiry: validExample(serviceInquiryForm) };
      const leads = Array.from({ length: 60 }, (_, index) => {
        const kind = index % 2 === 0 ? 'contact' : 'service_inquiry';
        return {
          id: randomUUID(),
          kind,
          email: 'noura@example.com',
          status: kind === 'contact' ? null : 'new',
          answers: JSON.stringify(fields[kind]),
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

  describe('GET /due-next', () => {
    it('lists the leads that need an answer by their due time, the caller’s own first', async () => {
      const at = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
      const ids = Array.from({ length: 5 }, () => randomUUID());
      const mine = { ownerId: staff().account.id };
      await storeLeads(api().database, [
        { ...contactMessage, id: ids[0] ?? '', createdAt: at(30) },
        { ...contactMessage, id: ids[1] ?? '', createdAt: at(40) },
        { ...contactMessage, id: ids[2] ?? '', createdAt: at(2), ...mine },
        { ...contactMessage, id: ids[3] ?? '', createdAt: at(22), ...mine },
        { ...contactMessage, id: ids[4] ?? '', createdAt: at(50), answeredAt: new Date() },
      ]);
      const due = (await staff().get('/due-next')).json() as Item[];
      expect(due.map(({ id }) => id)).to.deep.equal([ids[3], ids[2], ids[1], ids[0]]);
      const { id, name } = staff().account;
      expect(due[0]).to.deep.include({ name: 'Noura al-Harbi', response: 'soon', owner: { id, name }, status: 'new' });
    });

    it('lists ten leads at most', async () => {
      await storeLeads(
        api().database,
        Array.from({ length: 12 }, () => contactMessage),
      );
      expect((await staff().get('/due-next')).json()).to.have.length(10);
    });
  });

  describe('GET /trends', () => {
    const day = 86_400_000;
    const at = (days: number): Date => new Date(Date.now() - days * day);
    const trends = async (): Promise<Json<typeof trendsResponse>> => {
      const response = await staff().get('/trends');
      expect(response.status, response.text).to.equal(200);
      return response.json() as Json<typeof trendsResponse>;
    };

    it('has no growth without leads older than 60 days', async () => {
      await storeLeads(api().database, [{ ...contactMessage, createdAt: at(59) }]);
      expect((await trends()).growth).to.equal(null);
    });

    it('has the growth of the last 30 days against the 30 before', async () => {
      const inquiry = {
        kind: 'service_inquiry',
        email: 'f@example.com',
        fields: validExample(serviceInquiryForm),
      } as const;
      const won = randomUUID();
      await storeLeads(api().database, [
        { ...contactMessage, createdAt: at(61) },
        ...[1, 2].map((days) => ({ ...inquiry, createdAt: at(days) })),
        { ...inquiry, id: won, createdAt: at(3) },
        ...[31, 40].map((days) => ({ ...inquiry, createdAt: at(days) })),
      ]);
      const { growth: withoutWins } = await trends();
      expect(withoutWins).to.include({ totalLeads: 50, activeProjects: null, conversionRate: null });
      await staff().patch(`/leads/${won}`, { status: 'won' });
      await api()
        .database('lead_events')
        .update({ at: at(45) });
      await staff().patch(`/leads/${won}`, { status: 'lost' });
      await staff().patch(`/leads/${won}`, { status: 'won' });
      // One win in each period: of two inquiries in the earlier one, of three in the later one.
      expect((await trends()).growth).to.include({ totalLeads: 50, activeProjects: 0, conversionRate: -33.3 });
    });

    it('compares the active accounts with those of 30 days ago', async () => {
      await storeLeads(api().database, [{ ...contactMessage, createdAt: at(61) }]);
      await storeStaff(
        { created_at: at(31) },
        { created_at: at(40) },
        { created_at: at(29) },
        { created_at: at(31), is_active: false },
      );
      // There are four with the one that is signed in, and there were two.
      expect((await trends()).growth).to.include({ teamMembers: 100 });
    });

    it('has twelve weeks of leads by kind and of answers, and the statuses of 90 days', async () => {
      await storeLeads(api().database, [
        { ...contactMessage, createdAt: at(0) },
        { ...contactMessage, createdAt: at(10), answeredAt: at(9.5), status: 'won' },
        { ...contactMessage, createdAt: at(10), answeredAt: at(8), status: 'lost' },
        { ...contactMessage, createdAt: at(89), answeredAt: at(89), status: 'qualified' },
        { ...contactMessage, createdAt: at(91), answeredAt: at(91), status: 'contacted' },
      ]);
      const { leadsPerWeek, leadsByStatus, answersPerWeek } = await trends();
      expect(leadsByStatus).to.deep.equal({ new: 1, contacted: 0, qualified: 1, won: 1, lost: 1 });
      for (const series of [leadsPerWeek, answersPerWeek]) {
        expect(series).to.have.length(12);
        const starts = series.map(({ weekStart }) => Date.parse(weekStart));
        expect(starts).to.deep.equal(starts.map((_, index) => (starts[0] ?? 0) + index * 7 * day));
        expect(new Date(starts[0] ?? 0).getUTCDay()).to.equal(1);
      }
      expect(leadsPerWeek.at(-1)).to.include({ contact: 1, service_inquiry: 0, career_application: 0 });
      expect(leadsPerWeek.reduce((sum, { contact }) => sum + contact, 0)).to.equal(3);
      expect(answersPerWeek.reduce((sum, { due }) => sum + due, 0)).to.equal(2);
      expect(answersPerWeek.reduce((sum, { onTime }) => sum + onTime, 0)).to.equal(1);
    });

    it("counts the weeks in the studio's time zone", async () => {
      const { database } = api();
      const minute = 60_000;
      const dashboard = dashboardQueries(database);
      const [start, end] = (await dashboard.leadsPerWeek())
        .slice(-2)
        .map(({ weekStart }) => Date.parse(`${weekStart}T00:00+03:00`));
      await storeLeads(
        database,
        [(start ?? 0) + minute, (end ?? 0) - minute].map((time) => ({ ...contactMessage, createdAt: new Date(time) })),
      );
      expect((await dashboard.leadsPerWeek()).at(-2)).to.include({ contact: 2 });
    });
  });
});
