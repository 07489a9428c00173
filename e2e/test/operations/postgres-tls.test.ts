import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openRateLimitStore } from '@dune-tide/api/rate-limits/rate-limit-store';
import { migrate } from '@dune-tide/ops/commands/migrate';
import { connectDatabase, connectForMaintenance, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { startEmptyCluster, type EmptyCluster } from '@dune-tide/testkit/cluster';
import { memoryLogger } from '@dune-tide/testkit/log';
import { until } from '@dune-tide/testkit/until';
import { startConsumer } from '@dune-tide/platform/queue/consumer';
import { openProducer } from '@dune-tide/platform/queue/producer';
import { expect } from 'chai';
import pg from 'pg';

describe('PostgreSQL over TLS', () => {
  let server: EmptyCluster;
  let certificate: string;

  /** @param sslrootcert - the certificate authority that the client trusts */
  function url(sslrootcert: string): string {
    const address = new URL(server.cluster.url('studio'));
    // The name in the certificate.
    address.hostname = 'localhost';
    address.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert }).toString();
    return address.href;
  }

  async function makeCertificate(name: string): Promise<string> {
    const file = join(server.directory, `${name}.crt`);
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-keyout',
      join(server.directory, `${name}.key`),
    ];
    await promisify(execFile)('openssl', ['req', '-x509', '-nodes', '-days', '2', '-out', file, ...key, ...subject]);
    return file;
  }

  before(async () => {
    server = await startEmptyCluster();
    const { cluster, directory } = server;
    await cluster.createDatabase('studio');
    certificate = await makeCertificate('server');
    // The server accepts a key only if the user who runs it owns the file.
    const { uid, gid } = await stat(directory);
    for (const file of [certificate, join(directory, 'server.key')]) await chown(file, uid, gid);
    const client = new pg.Client({ connectionString: cluster.url('postgres') });
    await client.connect();
    for (const statement of [
      `alter system set ssl_cert_file = '${certificate}'`,
      `alter system set ssl_key_file = '${join(directory, 'server.key')}'`,
      'alter system set ssl = on',
      'select pg_reload_conf()',
    ]) {
      await client.query(statement);
    }
    await client.end();
    await until('the server accepts TLS', async () => {
      const trial = new pg.Client({ connectionString: url(certificate) });
      return trial.connect().then(
        async () => trial.end().then(() => true),
        () => false,
      );
    });
  });
  after(() => server.drop());

  it('encrypts every connection of stores, migration, rate limits and queue', async () => {
    const { logger } = memoryLogger();
    const settings = { databaseUrl: url(certificate) };
    const maintenance = connectForMaintenance({ url: settings.databaseUrl, applicationName: 'migrate' });
    await migrate(maintenance, settings);
    const database = connectDatabase({ url: settings.databaseUrl, applicationName: 'api', poolSize: 2 });
    const producer = openProducer(settings, logger);
    const handled: string[] = [];
    const consumer = await startConsumer(settings, async ({ id }) => void handled.push(id), 1, logger);
    const limits = openRateLimitStore(settings.databaseUrl, logger, 20_000);
    try {
      await producer.enqueue([{ id: randomUUID(), kind: 'acknowledgement' }]);
      await until('it is handled', () => handled.length === 1);
      await limits.take([{ key: 'a', limit: 1, milliseconds: 60_000 }], '');
      const { rows } = await database.raw<{ rows: { application: string; isEncrypted: boolean }[] }>(
        `select application_name as application, ssl as "isEncrypted"
         from pg_stat_activity join pg_stat_ssl using (pid) where backend_type = 'client backend'`,
      );
      expect(rows.map(({ application }) => application)).to.include.members(['migrate', 'api', 'queue', 'rate-limits']);
      expect(rows.filter(({ isEncrypted }) => !isEncrypted)).to.deep.equal([]);
    } finally {
      await consumer.close();
      await producer.close();
      await limits.close();
      await database.destroy();
      await maintenance.destroy();
    }
  });

  it('rejects a server whose certificate another authority signed', async () => {
    const database = connectDatabase({ url: url(await makeCertificate('other')), applicationName: 'api', poolSize: 2 });
    const refusal: unknown = await database.raw('select 1').catch((error: unknown) => error);
    await database.destroy();
    expect(refusal).to.be.instanceOf(DatabaseUnavailableError);
  });
});
