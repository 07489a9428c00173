import { setTimeout as pause } from 'node:timers/promises';
import { connectDatabase, connectForMaintenance } from '@dune-tide/db/connection';
import { leadIntake } from '@dune-tide/db/leads';
import { migrateTo, migrateUp, migrations, previousRelease } from '@dune-tide/db/schema';
import { brand } from '@dune-tide/domain/brand';
import { describeMachine } from './harness/machine.ts';
import { goalTable, report, say, showProgress, table } from './harness/report.ts';
import { run } from './harness/run.ts';
import { startServices } from './harness/services.ts';
import { positiveNumber } from './harness/settings.ts';
import { percentile } from './harness/statistics.ts';

/*
 * Measures the migrations since the previous release on many leads, while visitors send leads: how long they wait, and whether a
 * lead is refused.
 */

const leads = positiveNumber('LEADS', 1_000_000);
const { lastMigration: before, version } = previousRelease;
/** A visitor who waits longer for a lock gets 503 (docs/PRODUCT.md, "Time limits"). */
const longestMs = 3_000;
const visitors = 4;

const newLead: Parameters<ReturnType<typeof leadIntake>['storeLead']>[0] = {
  kind: 'contact',
  email: 'noura@example.com',
  fields: { firstName: 'Noura', lastName: 'al-Harbi', service: 'ugc', message: 'We need ten clips.' },
  followUps: [{ kind: 'acknowledgement', recipient: 'noura@example.com' }],
  spamSign: null,
  idempotencyKey: null,
};

await run(async (ends) => {
  const services = await startServices(ends);
  const machine = await describeMachine(services.versions);
  const url = await services.createDatabase('migration');
  const maintenance = connectForMaintenance({ url, applicationName: 'migrate' });
  const pool = connectDatabase({ url, applicationName: 'api', poolSize: 8 });
  ends.add({ stop: async () => void (await Promise.all([maintenance.destroy(), pool.destroy()])) });
  await migrateTo(maintenance, before);
  showProgress(`Storing ${leads.toLocaleString('en-US')} leads`);
  await maintenance.raw(storeMany(leads));
  await maintenance.raw('vacuum (analyze) leads');

  const visit = { times: [] as number[], refused: 0, isOver: false };
  const intake = leadIntake(pool, brand.mailDomain);
  const visiting = Array.from({ length: visitors }, async () => {
    while (!visit.isOver) {
      const since = performance.now();
      try {
        await intake.storeLead(newLead);
      } catch (error) {
        visit.refused++;
        say(String(error));
      }
      visit.times.push(performance.now() - since);
      await pause(5);
    }
  });
  await pause(3_000);
  const usual = { median: percentile(visit.times, 0.5), longest: percentile(visit.times, 1) };
  visit.times = [];
  showProgress('Migrating');
  const since = performance.now();
  await migrateUp(maintenance);
  const seconds = (performance.now() - since) / 1_000;
  visit.isOver = true;
  await Promise.all(visiting);

  const longest = percentile(visit.times, 1);
  await report('bench-migration', machine, [
    `${leads.toLocaleString('en-US')} leads on the schema of release ${version}; ${visitors} visitors send leads, each after the other. The ${migrations.length - migrations.findIndex(({ name }) => name === before) - 1} later migrations took ${seconds.toFixed(1)} s.`,
    '',
    ...table(
      ['milliseconds to store a lead', 'median', 'longest', 'leads'],
      [
        ['before', usual.median.toFixed(1), usual.longest.toFixed(0), ''],
        [
          'during the migration',
          percentile(visit.times, 0.5).toFixed(1),
          longest.toFixed(0),
          String(visit.times.length),
        ],
      ],
    ),
    '',
    ...goalTable([
      {
        what: 'longest wait of a visitor',
        goal: `< ${longestMs} ms`,
        found: `${longest.toFixed(0)} ms`,
        isMet: longest < longestMs,
      },
      { what: 'refused leads', goal: '0', found: String(visit.refused), isMet: visit.refused === 0 },
    ]),
  ]);
});

/** Returns a statement that stores leads of all kinds, of two years. */
function storeMany(count: number): string {
  return `
    insert into leads (id, kind, email, status, answers, created_at)
    select gen_random_uuid(), kind, 'visitor' || (number % 300000) || '@example.com',
           case when kind = 'service_inquiry' then 'new' end,
           jsonb_build_object(
             'firstName', 'Noura', 'lastName', 'al-Harbi', 'name', 'Noura al-Harbi', 'phone', '0115550100',
             'position', 'Designer', 'experience', 'mid', 'source', 'portfolio_view', 'serviceType', 'Lead Generation',
             'service', case when kind = 'contact' then 'ugc' else 'B2B Email Marketing' end,
             'budget', 'none', 'timeframe', 'none', 'urgency', 'none',
             'message', long, 'coverLetter', long, 'projectDetails', long
           ),
           now() - interval '730 days' * power(1 - number::float8 / ${count}, 1.4)
    from generate_series(1, ${count}) as number,
      lateral (select repeat(md5(number::text), 5) as long,
                      (array['contact', 'service_inquiry', 'career_application', 'portfolio_request'])[1 + number % 4] as kind
      ) as made`;
}
