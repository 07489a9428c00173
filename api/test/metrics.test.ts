import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectForMaintenance } from '@dune-tide/db/connection';
import { migrateTo, migrateUp, migrations } from '@dune-tide/db/schema';
import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { until } from '@dune-tide/testkit/until';
import { startProcess, type RunningProcess } from '@dune-tide/testkit/processes';
import { freePort } from '@dune-tide/local/ports';
import { validExample } from '@dune-tide/domain/test/examples';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { expect } from 'chai';
import { publicPaths, sendTo } from './support.ts';

describe('the metrics of the API process', () => {
  let database: TestDatabase;
  let api: RunningProcess | undefined;
  let port = 0;
  let metrics = '';
  let backups: string;

  before(async () => {
    database = await createTestDatabase();
    port = await freePort(0, '127.0.0.1');
    const metricsPort = await freePort(0, '127.0.0.1');
    metrics = `http://127.0.0.1:${metricsPort}`;
    backups = await mkdtemp(join(tmpdir(), 'backups-'));
    api = await startProcess('@dune-tide/api/main', {
      DATABASE_URL: database.appUrl,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      SESSION_KEYS: 'a key that only the tests know, for a while'.replaceAll(/[ ,]/g, '-'),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      BACKUP_DIRECTORY: backups,
    });
  });
  after(async () => {
    expect(await api?.stop()).to.equal(0);
    await database.drop();
    await rm(backups, { recursive: true, force: true });
  });

  it('cover requests by route, follow-ups, the queue and the pool, on their own port only', async () => {
    const born = (await (await fetch(`${metrics}/metrics`)).text()).split('\n');
    for (const route of publicPaths) {
      for (const status of [500, 503]) {
        // Prometheus detects an increase from 0 to 1, but not a series that starts with 1.
        expect(born).to.include(
          `http_request_duration_seconds_count{method="POST",route="${route}",status="${status}"} 0`,
        );
      }
    }
    const stored = await sendTo(port, {
      method: 'POST',
      path: '/api/contact',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(validExample(contactForm)),
    });
    expect(stored.status).to.equal(201);
    await sendTo(port, { path: '/api/zq9-nothing' });
    await sendTo(port, { path: '/api/admin/zq9-nothing' });

    const text = await (await fetch(`${metrics}/metrics`)).text();
    expect(text.split('\n')).to.include.members([
      'http_request_duration_seconds_count{method="POST",route="/api/contact",status="201"} 1',
      'http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
      'http_request_duration_seconds_count{method="GET",route="none",status="401"} 1',
      'follow_ups{state="pending",transport="email"} 1',
      'metrics_source_up{source="queue"} 1',
      'metrics_source_up{source="database"} 1',
    ]);
    expect(text).to.match(/^follow_ups_oldest_waiting_seconds\{transport="email"\} [\d.]+$/m);
    expect(text).to.match(/^queue_jobs\{state="waiting"\} [01]$/m);
    expect(text).to.match(/^database_pool_connections\{use="used"\} \d+$/m);
    expect(text).to.not.include('zq9');
    expect((await sendTo(port, { path: '/metrics' })).status).to.equal(404);
  });

  it('have the time of the newest complete backup, or 0 without one', async () => {
    const told = async () => {
      const text = await (await fetch(`${metrics}/metrics`)).text();
      expect(text).to.not.include('source="backups"');
      return /^newest_backup_timestamp_seconds (\S+)$/m.exec(text)?.[1];
    };
    const make = async (name: string, seconds: number): Promise<void> => {
      await writeFile(join(backups, name), '');
      await utimes(join(backups, name), seconds, seconds);
    };
    expect(await told()).to.equal('0');
    await make('newer.dump', 2_000_000_000);
    await make('older.sql.gz', 1_900_000_000);
    await make('half.dump.partial', 2_100_000_000);
    expect(Number(await told())).to.equal(2_000_000_000);
    await rm(backups, { recursive: true });
    expect(await told()).to.equal('0');
  });

  it('are preceded by a log line when all parts are ready', async () => {
    const line = await until('it is logged', () =>
      api
        ?.output()
        .split('\n')
        .find((each) => each.includes('"msg":"ready"')),
    );
    expect(JSON.parse(line)).to.deep.include({ level: 'info', parts: { database: 'ok', queue: 'ok' } });
  });

  it('have a /readyz that is 503 while the database is read-only or lacks a migration', async () => {
    const stand = async () => {
      const [ready, { text }] = [
        await fetch(`${metrics}/readyz`),
        { text: await (await fetch(`${metrics}/metrics`)).text() },
      ];
      return [ready.status, /^metrics_source_up\{source="database"\} (\d)$/m.exec(text)?.[1]];
    };
    const maintenance = connectForMaintenance({ url: database.url, applicationName: 'migrate' });
    const readOnly = async (change: string): Promise<void> => {
      await maintenance.raw(`alter database ${new URL(database.url).pathname.slice(1)} ${change}`);
      // Open connections would keep the old setting.
      await maintenance.raw(`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and application_name = 'api'`);
    };
    try {
      expect(await stand(), 'at first').to.deep.equal([200, '1']);

      await migrateTo(maintenance, migrations.at(-2)?.name ?? '');
      expect(await stand(), 'one migration behind').to.deep.equal([503, '0']);
      await migrateUp(maintenance);
      expect(await stand(), 'migrated').to.deep.equal([200, '1']);

      await readOnly('set default_transaction_read_only = on');
      expect(await stand(), 'read-only').to.deep.equal([503, '0']);
      await readOnly('reset default_transaction_read_only');
      expect(await stand(), 'writable').to.deep.equal([200, '1']);
    } finally {
      await maintenance.destroy();
    }
  });
});
