import { installTools } from '@dune-tide/testkit/services/services';
import { frontVersion } from './harness/front.ts';
import { startLoadGenerator } from './harness/load.ts';
import { describeMachine } from './harness/machine.ts';
import { goalTable, report, say, showProgress, spreadText, table, type Goal } from './harness/report.ts';
import { run } from './harness/run.ts';
import { startServices } from './harness/services.ts';
import { backends, chosen, positiveNumber } from './harness/settings.ts';
import { startSmtpSink } from './harness/smtp-sink.ts';
import { spread, type Spread } from './harness/statistics.ts';
import { startSystem, type Shares, type SystemOptions } from './scale-system.ts';
import {
  measureTurn,
  parts,
  settle,
  warmUp,
  type Contender,
  type Part,
  type ScaleTurn,
  type TurnOptions,
} from './scale-turn.ts';

/*
 * Compares several processes that share PostgreSQL and Redis behind one address with one process of each kind, and
 * measures the use of each process.
 */

const chosenBackends = chosen('BACKENDS', backends);
const rounds = positiveNumber('ROUNDS', 2);
const processes = positiveNumber('PROCESSES', 4);
const connections = positiveNumber('CONNECTIONS', 64);
const leads = positiveNumber('LEADS', 4_000);
/** The number of leads for each process of a kind before the measurement, because its code is slow at first. */
const warmUpLeads = positiveNumber('WARM_UP_LEADS', 1_000);

interface Measured extends Contender {
  readonly processes: number;
  shares: Shares;
}

await run(async (ends) => {
  await installTools(['haproxy']);
  const services = await startServices(ends);
  const machine = await describeMachine([...services.versions, await frontVersion()]);
  say(machine.join('\n'));
  const generator = ends.add(await startLoadGenerator(services.logFile('load')));
  const sink = ends.add(await startSmtpSink(services.logFile('smtp')));
  const contenders = await takeTurns({ services, sink, ends, generator, connections });
  await report('bench-scale together', machine, together(contenders), 'SCALING');
  await report('bench-scale processes', machine, eachProcess(contenders), 'SCALING');
});

type Parties = Pick<SystemOptions & TurnOptions, 'services' | 'sink' | 'ends' | 'generator' | 'connections'>;

/** Measures the contenders of one backend in turns, while the others are idle. */
async function takeTurns(parties: Parties): Promise<Measured[]> {
  const settled: Measured[] = [];
  for (const backend of chosenBackends) {
    const contenders: Measured[] = [];
    for (const count of [1, processes]) {
      const name = `scale_${backend.toLowerCase()}_${count}`;
      const contender: Measured = {
        name: `${count} api, ${count} worker, ${backend}`,
        processes: count,
        system: await startSystem({ ...parties, name, backend, processes: count }),
        acknowledged: [],
        mails: [],
        turns: [],
        shares: { apis: [], workers: [] },
      };
      showProgress(`Warming up ${contender.name}`);
      await warmUp(contender, { ...parties, leads: warmUpLeads * count });
      contenders.push(contender);
    }
    for (let round = 1; round <= rounds; round++) {
      for (const contender of contenders) {
        showProgress(`Round ${round} of ${rounds}, ${contender.name}`);
        const turn = await measureTurn(contender, { ...parties, leads });
        say(
          `round ${round}  ${contender.name.padEnd(28)} ${turn.leadsPerSecond.toFixed(0).padStart(6)} leads/s  p99 ${turn.p99.toFixed(1)} ms  ` +
            `${turn.mailsAfterwards.toFixed(0).padStart(6)} emails/s  ${turn.machineTime.toFixed(2)} ms of the machine per lead`,
        );
      }
    }
    for (const contender of contenders) contender.shares = await settle(contender);
    settled.push(...contenders);
  }
  return settled;
}

function ofTurns({ turns }: Contender, pick: (turn: ScaleTurn) => number): Spread {
  return spread(turns.map(pick));
}

function together(contenders: readonly Measured[]): string[] {
  const cell = (contender: Contender, digits: number, pick: (turn: ScaleTurn) => number): string =>
    spreadText(ofTurns(contender, pick), digits);
  const goals = contenders.flatMap(({ name, shares, processes: count }): Goal[] => {
    if (count === 1) return [];
    const least = (counts: readonly number[]): number =>
      (100 * Math.min(...counts)) / counts.reduce((sum, each) => sum + each, 0);
    const goal = (what: string, percent: number): Goal => ({
      what: `${what}, ${name}`,
      goal: `≥ ${(50 / count).toFixed(1)} %`,
      found: `${percent.toFixed(1)} %`,
      isMet: percent >= 50 / count,
    });
    return [
      goal('smallest share of the leads', least(shares.apis)),
      goal('smallest share of the emails', least(shares.workers)),
    ];
  });
  return [
    `${rounds} rounds of ${leads} contact messages over ${connections} connections, each contender after the other; medians (lowest–highest). Workers send during and after the intake; ms/lead is the processor time of all programs for a lead and its email. At the end, each acknowledged lead was stored and required one email, and the mail server had each email once.`,
    '',
    ...table(
      ['contender', 'leads/s', 'p50 ms', 'p99 ms', 'emails/s during', 'emails/s afterwards', 'ms/lead'],
      contenders.map((contender) => [
        contender.name,
        cell(contender, 0, (turn) => turn.leadsPerSecond),
        cell(contender, 1, (turn) => turn.p50),
        cell(contender, 1, (turn) => turn.p99),
        cell(contender, 0, (turn) => turn.mailsMeanwhile),
        cell(contender, 0, (turn) => turn.mailsAfterwards),
        cell(contender, 2, (turn) => turn.machineTime),
      ]),
    ),
    '',
    'Cores that each kind kept busy while leads came in:',
    '',
    ...partTable(contenders, (turn, part) => turn.cores[part]),
    '',
    ...goalTable(goals),
  ];
}

function partTable(contenders: readonly Contender[], pick: (turn: ScaleTurn, part: Part) => number): string[] {
  return table(
    ['contender', ...parts],
    contenders.map((contender) => [
      contender.name,
      ...parts.map((part) => ofTurns(contender, (turn) => pick(turn, part)).median.toFixed(2)),
    ]),
  );
}

function eachProcess(contenders: readonly Contender[]): string[] {
  const perCore = (contender: Contender, part: Part): string =>
    (1_000 / ofTurns(contender, (turn) => turn.time[part]).median).toFixed(0);
  const kinds = ['api', 'worker', 'HAProxy', 'Redis'] as const;
  const most = (contender: Contender, pick: (turn: ScaleTurn) => number): string =>
    ofTurns(contender, pick).max.toFixed(0);
  const names = [...new Set(contenders.flatMap(({ turns }) => turns.flatMap((turn) => [...turn.connections.keys()])))];
  return [
    'Processor time in ms per lead, including its email:',
    '',
    ...partTable(contenders, (turn, part) => turn.time[part]),
    '',
    'The number per second that keeps one core busy: leads for api and HAProxy, leads with their emails for PostgreSQL, emails for a worker.',
    '',
    ...table(
      ['contender', 'api', 'worker', 'PostgreSQL', 'HAProxy'],
      contenders.map((contender) => [
        contender.name,
        ...(['api', 'worker', 'PostgreSQL', 'HAProxy'] as const).map((part) => perCore(contender, part)),
      ]),
    ),
    '',
    'Maximum memory of one process, in MB:',
    '',
    ...table(
      ['contender', ...kinds],
      contenders.map((contender) => [
        contender.name,
        ...kinds.map((kind) => most(contender, ({ memory }) => memory[kind])),
      ]),
    ),
    '',
    'Maximum connections to PostgreSQL of all processes, by application_name; `follow-ups` is the connection on which BullMQ listens in a worker:',
    '',
    ...table(
      ['contender', ...names, 'together'],
      contenders.map((contender) => [
        contender.name,
        ...names.map((name) => most(contender, (turn) => turn.connections.get(name) ?? 0)),
        most(contender, (turn) => turn.connectionsTogether),
      ]),
    ),
  ];
}
