import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requiredFollowUps, type LeadKind } from '@dune-tide/domain/leads';
import { emailLimits } from '@dune-tide/domain/limits';
import { validExample } from '@dune-tide/domain/test/examples';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { storeSmallPortfolio } from '@dune-tide/testkit/portfolio';
import { postLead } from '@dune-tide/testkit/post-lead';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { prepareSystem, publicUrl, staffEmail, type RunningSystem } from '../../src/faults/running-system.ts';

const forms: readonly { readonly path: string; readonly kind: LeadKind; readonly form: FormSchema }[] = [
  { path: 'contact', kind: 'contact', form: contactForm },
  { path: 'careers', kind: 'career_application', form: careerApplicationForm },
  { path: 'service-inquiry', kind: 'service_inquiry', form: serviceInquiryForm },
  { path: 'portfolio-lead', kind: 'portfolio_request', form: portfolioRequestForm },
];
const spellings = [
  'victim@target.example',
  'Victim@target.example',
  'VICTIM@TARGET.EXAMPLE',
  'victim+1@target.example',
  'victim+news@target.example',
  'vIcTiM+2@Target.example',
];
/** Enough that both the emails to the mailbox and the notices to staff exceed their limits. */
const posts = 2;
const rowsEach = requiredFollowUps({ kind: 'contact', email: 'a@b.example' }, staffEmail).length;

describe('a flood of forms for one victim', () => {
  let system: RunningSystem;
  let cacheDirectory: string;
  before(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'flood-cache-'));
    await storeSmallPortfolio(cacheDirectory, publicUrl);
    system = await prepareSystem({ emailLimit: String(emailLimits.totalPerHour), cacheDirectory });
  });
  after(async () => {
    await system.stop();
    await rm(cacheDirectory, { recursive: true });
  });

  it('brings few emails to the victim and to staff, and loses no lead', async () => {
    const [api] = await Promise.all([system.startApi(), system.startWorker(), system.startWorker()]);
    const wanted = forms.flatMap(({ path, form }) =>
      spellings.flatMap((email) =>
        Array.from({ length: posts }, () => ({ path, body: { ...validExample(form), email } })),
      ),
    );
    // The processes of these tests do not limit submissions, as if each one came from another client.
    const responses = await Promise.all(wanted.map(({ path, body }) => postLead(api.url, path, body)));
    expect(responses.filter(({ status }) => status !== 201)).to.deep.equal([]);
    const total = forms.length * spellings.length * posts;
    expect(await system.database('leads')).to.have.length(total);

    const waiting = () =>
      system
        .database('follow_ups')
        .where({ state: 'sending' })
        .orWhereRaw(`state = 'pending' and available_at <= now()`);
    await until('all emails are sent, withheld or collected', async () => (await waiting()).length === 0);

    const toVictim = system.smtp.accepted.filter(({ to }) => to.toLowerCase().startsWith('victim'));
    const toStaff = system.smtp.accepted.filter(({ to }) => to === staffEmail);
    expect(toVictim).to.have.length(emailLimits.mailboxPerHour);
    expect(toStaff).to.have.length(emailLimits.noticesPerHour);

    const rows = await system.database('follow_ups').whereNot({ kind: 'staff_digest' });
    expect(rows).to.have.length(total * rowsEach);
    const withheld = await system
      .database('follow_ups')
      .where({ state: 'withheld' })
      .pluck<string[]>('withheld_reason');
    expect(withheld).to.have.length(total - emailLimits.mailboxPerHour);
    for (const reason of withheld) expect(reason).to.be.oneOf(['mailbox_limit', 'portfolio_limit']);

    const [digest, ...others] = await system.database('follow_ups').where({ kind: 'staff_digest' });
    expect(others).to.deep.equal([]);
    await system.database('follow_ups').where({ id: digest.id }).update({
      available_at: system.database.fn.now(),
      sweep_at: system.database.fn.now(),
    });
    const notices = () => system.database('follow_ups').where({ kind: 'staff_notice', state: 'sent' });
    await until('the digest settles all notices', async () => (await notices()).length === total);
    expect(system.smtp.accepted.filter(({ to }) => to === staffEmail)).to.have.length(emailLimits.noticesPerHour + 1);
  });
});
