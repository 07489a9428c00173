import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { addressOf, openOutage, type OutageOptions, type OutageTimes } from '../src/outage.ts';

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const quick: OutageTimes = { pauseMs: () => 5, lineMs: 60_000 };

function open(options: Partial<OutageOptions> = {}) {
  const { logger, lines } = memoryLogger();
  const outage = openOutage({ part: 'mail server', address: 'mail.example:25', logger, times: quick, ...options });
  return { outage, said: () => lines().map(({ msg }) => msg), lines };
}

describe('the outage of a part', () => {
  it('is logged in the words of the commands when it starts and when it ends', () => {
    const { outage, lines } = open();
    for (let failures = 0; failures < 100; failures++) outage.failed(refused);
    expect(outage.isOut).to.equal(true);
    outage.worked();
    outage.worked();
    expect(outage.isOut).to.equal(false);
    expect(lines().map(({ level, part, msg }) => [level, part, msg])).to.deep.equal([
      [
        'warn',
        'mail server',
        'The mail server mail.example:25 is unavailable (ECONNREFUSED: no server is listening there).',
      ],
      ['info', 'mail server', 'The mail server mail.example:25 is available again.'],
    ]);
  });

  it('is logged again with the number of those that wait, and with a new cause', async () => {
    const { outage, lines } = open({ times: { ...quick, lineMs: 10 }, waiting: async () => 5_000 });
    outage.failed(refused);
    const still = await until('it is logged again', () => lines()[1]);
    expect(still).to.include({
      waiting: 5_000,
      msg: 'The mail server mail.example:25 is still unavailable (ECONNREFUSED: no server is listening there).',
    });
    outage.failed(Object.assign(new Error('auth'), { code: 'EAUTH', responseCode: 535 }));
    const changed = 'The mail server mail.example:25 is unavailable (EAUTH: the user name or password is wrong).';
    expect(lines().filter(({ msg }) => msg === changed)).to.have.length(1);
    outage.worked();
  });

  it('writes few lines if the part is available for moments only', () => {
    const { outage, lines } = open();
    for (let times = 0; times < 50; times++) {
      outage.failed(refused);
      outage.worked();
    }
    expect(lines()).to.have.length(6);
  });

  it('is tried in one place, and its end lets everything continue', async () => {
    let probes = 0;
    let isBack = false;
    const { outage } = open({
      isProof: true,
      async probe() {
        probes++;
        if (!isBack) throw refused;
      },
    });
    outage.failed(refused);
    const waiting = Promise.all(Array.from({ length: 20 }, () => outage.enter()));
    await until('it was tried', () => probes >= 3);
    expect(outage.isOut).to.equal(true);
    isBack = true;
    expect(new Set(await waiting)).to.deep.equal(new Set(['free']));
    expect(await outage.enter()).to.equal('free');
  });

  it('lets one use try at a time if a connection alone proves nothing', async () => {
    let probes = 0;
    const { outage } = open({ probe: async () => void probes++ });
    outage.failed(refused);
    let uses = 0;
    const use = async (): Promise<void> => {
      while ((await outage.enter()) === 'trial') {
        if (++uses === 4) return outage.worked();
        outage.failed(refused);
      }
    };
    await Promise.all(Array.from({ length: 20 }, use));
    expect({ probes, uses }).to.deep.equal({ probes: 1, uses: 4 });
    expect(outage.isOut).to.equal(false);
  });

  it('ends with a connection if nothing waits', async () => {
    const { outage } = open({ probe: async () => undefined });
    outage.failed(refused);
    await until('it ends', () => !outage.isOut);
  });

  it('is not logged if a probe disproves it', async () => {
    const { outage, lines } = open({ isConfirmed: true, isProof: true, probe: async () => undefined });
    outage.failed(refused);
    expect(await outage.enter()).to.equal('free');
    expect(lines()).to.deep.equal([]);
  });

  it('does not start with the failure of a use that is older than the last success', () => {
    const { outage } = open();
    const since = performance.now() - 1;
    outage.worked();
    outage.failed(refused, since);
    expect(outage.isOut).to.equal(false);
  });

  it('ends a wait after its time and when the process closes', async () => {
    const { outage } = open({ times: { ...quick, pauseMs: () => 60_000 } });
    outage.failed(refused);
    expect(await outage.enter(1)).to.equal(undefined);
    const waits = [outage.enter(), outage.enter()];
    outage.stopWaiting();
    expect(await waits[1]).to.equal(undefined);
    expect(await outage.enter()).to.equal(undefined);
  });

  it('reserves a separate time for each connection', () => {
    const { outage } = open({ times: { ...quick, pauseMs: () => 3_000 } });
    expect(outage.nextTryMs()).to.equal(0);
    const times = [outage.nextTryMs(), outage.nextTryMs(), outage.nextTryMs()];
    for (const [index, time] of times.entries()) expect(time).to.be.closeTo(3_000 * (index + 1), 500);
  });
});

describe('the address of a part', () => {
  for (const [url, address] of [
    ['smtps://user:secret@mail.example', 'mail.example:465'],
    ['postgres://user:secret@db.example:6432/app', 'db.example:6432'],
    ['postgres://app@%2Frun%2Fpostgresql/app', '/run/postgresql'],
    ['postgres://app@/app?host=/run', 'localhost:465'],
  ] as const) {
    it(`is ${address} for ${new URL(url.replace('@/', '@localhost/')).protocol}`, () => {
      expect(addressOf(url, 465)).to.equal(address);
    });
  }
});
