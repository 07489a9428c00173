import { measureTurn, startProduct, startReference, type Contender } from './intake-contenders.ts';
import { startLoadGenerator } from './harness/load.ts';
import { prepareProduct } from './harness/product.ts';
import { run } from './harness/run.ts';
import { startServices } from './harness/services.ts';
import { median } from './harness/statistics.ts';
const conns = Number(process.env['CONNS'] ?? 64),
  rounds = Number(process.env['R'] ?? 4),
  secs = Number(process.env['S'] ?? 2);
const variants: [string, 'PostgreSQL' | 'Redis', Record<string, string>][] = JSON.parse(process.env['V'] ?? '[]');
await run(async (ends) => {
  const services = ends.add(await startServices());
  const gen = ends.add(await startLoadGenerator(services.logFile('load')));
  const all: Contender[] = [
    await startReference({ services, ends }, { name: 'limit', file: 'limit', databaseName: 'limit' }),
  ];
  for (const [i, [name, backend, own]] of variants.entries()) {
    const product = ends.add(await prepareProduct(services, `p${i}`, backend, own));
    all.push({ ...(await startProduct(product, ends)), name });
  }
  for (const c of all) await measureTurn(gen, c, { connections: conns, seconds: 2 });
  const got = new Map(all.map((c) => [c, [] as any[]]));
  for (let r = 0; r < rounds; r++)
    for (const c of all) got.get(c)!.push(await measureTurn(gen, c, { connections: conns, seconds: secs }));
  for (const [c, t] of got)
    console.log(
      c.name.padEnd(24),
      ['perSecond', 'p50', 'p99', 'machineTime', 'ownTime', 'behind']
        .map((k) => k + ' ' + median(t.map((x) => x[k])).toFixed(3))
        .join('  '),
    );
});
