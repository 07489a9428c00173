import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { confirmEmailPath, receiptPath, unsubscribePath } from '@dune-tide/platform/id-tokens';
import { nodeFlags } from '@dune-tide/platform/node-flags';
import { readApiSettings } from '@dune-tide/api/settings';
import { apiHeaders } from '@dune-tide/api/http/server/security-headers';
import { readMigrateSettings } from '@dune-tide/ops/settings';
import { settingRules } from '@dune-tide/platform/settings';
import { defaultDeadlineMs } from '@dune-tide/platform/shutdown';
import { readWorkerSettings } from '@dune-tide/worker/settings';
import { expect } from 'chai';

const root = new URL('../../../', import.meta.url);
const folder = new URL('deploy/systemd/', root);

const secrets: Readonly<Record<string, string>> = {
  'database-url': 'postgres://app:password@127.0.0.1:5432/studio',
  'migration-database-url': 'postgres://migrate:password@127.0.0.1:5432/studio',
  'session-keys': 'k'.repeat(32),
  'smtp-url': 'smtp://127.0.0.1:1025',
};

/** Returns the values of a key in order, over all sections. */
function valuesOf(unit: string, key: string): string[] {
  return unit.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
}

describe('the systemd units', () => {
  let credentials: string;
  let common: Record<string, string>;
  before(async () => {
    credentials = await mkdtemp(join(tmpdir(), 'credentials-'));
    for (const [name, value] of Object.entries(secrets)) await writeFile(join(credentials, name), `${value}\n`);
    const text = await readFile(new URL('settings.env', folder), 'utf8');
    common = Object.fromEntries(
      [...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
  });
  after(() => rm(credentials, { recursive: true }));

  const read = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

  it('consist of the target and the units that it starts', async () => {
    const units = (await readdir(folder)).filter((name) => name !== 'settings.env' && !name.includes('backup'));
    const target = await read('dune-and-tide.target');
    const wanted = valuesOf(target, 'Wants').flatMap((names) => names.split(' '));
    expect(new Set(wanted.map((name) => name.replace(/@[^.]+/, '@')))).to.deep.equal(
      new Set(units.filter((name) => name !== 'dune-and-tide.target')),
    );
  });

  it('back up each night, and later if the machine was off', async () => {
    const timer = await read('dune-and-tide-backup.timer');
    expect(valuesOf(timer, 'OnCalendar')).to.deep.equal(['*-*-* 03:00']);
    expect(valuesOf(timer, 'Persistent')).to.deep.equal(['true']);
  });

  describe('the backup', () => {
    let unit: string;
    let state: string;
    let backups: string;
    before(async () => {
      unit = await read('dune-and-tide-backup.service');
    });
    beforeEach(async () => {
      state = await mkdtemp(join(tmpdir(), 'state-'));
      backups = join(state, 'dune-and-tide/backups');
      await mkdir(backups, { recursive: true });
    });
    afterEach(() => rm(state, { recursive: true }));

    /** Runs a line of the unit as systemd does, with a pg_dump that behaves like `dump`. */
    async function execute(key: string, dump: string): Promise<void> {
      const [line = '', ...others] = valuesOf(unit, key);
      expect(others).to.deep.equal([]);
      await writeFile(join(state, 'pg_dump'), `#!/bin/sh\n${dump}\n`, { mode: 0o755 });
      const command = line
        .replace(/%([%S])/g, (_, specifier) => (specifier === 'S' ? state : '%'))
        .replaceAll('$$', '$')
        .replaceAll('/opt/dune-and-tide/current/', fileURLToPath(root));
      // systemd removes the quotes as a shell does.
      await promisify(execFile)('sh', ['-c', command], {
        cwd: join(state, 'dune-and-tide'),
        env: { PATH: `${state}:${process.env['PATH']}` },
        timeout: hangLimitSeconds * 1000,
      });
    }

    it('runs pg_dump without sessions and the queue, and names the file after the time', async () => {
      await execute('ExecStart', 'for word; do case $word in --file=*) echo "$@" > "${word#--file=}";; esac; done');
      const [name = '', ...others] = await readdir(backups);
      expect(others).to.deep.equal([]);
      expect(name).to.match(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.dump$/);
      expect(await readFile(join(backups, name), 'utf8'))
        .to.include('--format=custom')
        .and.include('--exclude-schema=bullmq')
        .and.include('--exclude-table-data=public.sessions')
        .and.match(/ service=dune-and-tide\n$/);
    });

    it('leaves no file that looks complete when it fails, and fails the unit', async () => {
      const failure = await execute('ExecStart', 'echo half > backups/x.dump.partial; exit 1').catch(
        (error: unknown) => error,
      );
      expect(failure).to.have.property('code', 1);
      expect((await readdir(backups)).filter((name) => name.endsWith('.dump'))).to.deep.equal([]);
    });

    it('deletes old backups, complete or partial, after a new one', async () => {
      const monthAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1_000);
      for (const name of ['old.dump', 'old.dump.partial', 'old.dump.kept', 'of-another.txt', 'new.dump']) {
        await writeFile(join(backups, name), '');
        if (name !== 'new.dump') await utimes(join(backups, name), monthAgo, monthAgo);
      }
      await execute('ExecStartPost', '');
      expect(await readdir(backups)).to.have.members(['old.dump.kept', 'of-another.txt', 'new.dump']);
    });

    it('reads its credentials from a file that only root can read, and has no other rights', () => {
      expect(valuesOf(unit, 'LoadCredential')).to.deep.equal(['pg-service:/etc/dune-and-tide/secrets/pg-service']);
      expect(valuesOf(unit, 'Environment')).to.deep.equal(['PGSERVICEFILE=%d/pg-service']);
      expect(valuesOf(unit, 'User')).to.deep.equal(['dune-tide']);
      expect(valuesOf(unit, 'UMask')).to.deep.equal(['0077']);
      expect(valuesOf(unit, 'NoNewPrivileges')).to.deep.equal(['yes']);
      expect(valuesOf(unit, 'ProtectSystem')).to.deep.equal(['strict']);
      expect(valuesOf(unit, 'CapabilityBoundingSet')).to.deep.equal(['']);
    });
  });

  it('monitor the backup folder', async () => {
    const [directory] = valuesOf(await read('dune-and-tide-backup.service'), 'WorkingDirectory');
    expect(valuesOf(await read('dune-and-tide-api@.service'), 'Environment')).to.include(
      `BACKUP_DIRECTORY=${directory}/backups`,
    );
  });

  it('drop no log line about a lead or an email', async () => {
    for (const name of ['dune-and-tide-api@.service', 'dune-and-tide-worker@.service']) {
      expect(valuesOf(await read(name), 'LogRateLimitIntervalSec'), name).to.deep.equal(['0']);
    }
  });

  it("rely on a web server that replaces the client's forwarding header", async () => {
    expect(common['TRUSTED_PROXIES']).to.equal('127.0.0.1');
    const webServer = await readFile(new URL('../nginx/dune-and-tide.conf', folder), 'utf8');
    expect(webServer.match(/^ *proxy_set_header X-Forwarded-For .*$/gm)).to.deep.equal([
      '    proxy_set_header X-Forwarded-For $remote_addr;',
    ]);
  });

  it('have a web server with current TLS, whose own errors have the headers of the API', async () => {
    const webServer = await readFile(new URL('../nginx/dune-and-tide.conf', folder), 'utf8');
    const valueOf = (key: string): string => new RegExp(`^ *${key} (.+);$`, 'm').exec(webServer)?.[1] ?? '';
    expect(valueOf('ssl_protocols')).to.equal('TLSv1.2 TLSv1.3');
    expect(valueOf('ssl_prefer_server_ciphers')).to.equal('on');
    for (const cipher of valueOf('ssl_ciphers').split(':')) {
      expect(cipher).to.match(/^ECDHE-(ECDSA|RSA)-(AES(128|256)-GCM|CHACHA20-POLY1305)/);
    }
    const own = Object.fromEntries(
      [
        ...webServer.matchAll(
          /^map \$upstream_http_(\w+) (\$own_\w+) \{\n {2}'' (["']?)(.+)\3;\n {2}default '';\n\}/gm,
        ),
      ].map(([, header = '', variable = '', , value = '']) => {
        const name = header.replaceAll('_', '-');
        expect(webServer).to.match(new RegExp(`^  add_header ${name} \\${variable} always;$`, 'im'));
        return [name, value];
      }),
    );
    const { 'strict-transport-security': transport, ...others } = own;
    const ofApi = apiHeaders('https://studio.example');
    expect(transport).to.equal(ofApi.get('strict-transport-security'));
    expect(others['x-content-type-options']).to.equal(ofApi.get('x-content-type-options'));
    const directives = (policy = '') => policy.split(/; ?/);
    expect(directives(others['content-security-policy'])).to.have.members(
      directives(ofApi.get('content-security-policy')),
    );
  });

  it('have a web server that logs no token of a link', async () => {
    const webServer = await readFile(new URL('../nginx/dune-and-tide.conf', folder), 'utf8');
    const [, pattern = ''] = /^map \$uri \$logged_path \{\n.*\n {2}~(\S+) \/\$page\/-;$/m.exec(webServer) ?? [];
    const withToken = new RegExp(pattern);
    for (const path of [receiptPath, unsubscribePath, confirmEmailPath]) {
      expect(withToken.exec(`${path}/token/withdraw`)?.groups?.['page']).to.equal(path.slice(1));
    }
    expect(withToken.test('/privacy')).to.equal(false);
  });

  it('have a web server that redirects pages to https, and no call of the API', async () => {
    const webServer = await readFile(new URL('../nginx/dune-and-tide.conf', folder), 'utf8');
    const [clearText = ''] = webServer.split(/^server \{$/m).slice(1);
    expect(clearText).to.include('listen 80;');
    const locations = [...clearText.matchAll(/location (.+) \{\n\s*return (\d+)/g)].map(([, path, status]) => [
      path,
      status,
    ]);
    expect(locations).to.deep.equal([
      ['~* ^/api(/|$)', '403'],
      ['/', '301'],
    ]);
  });

  for (const [name, main, readOwn, instance] of [
    ['dune-and-tide-api@.service', 'api/src/main.ts', readApiSettings, '8080'],
    ['dune-and-tide-worker@.service', 'worker/src/main.ts', readWorkerSettings, '1'],
    ['dune-and-tide-migrate.service', 'ops/src/migrate.ts', readMigrateSettings, ''],
  ] as const) {
    describe(name, () => {
      let unit: string;
      before(async () => {
        unit = await read(name);
      });

      it('starts a program that exists', async () => {
        const built = main.replace('/src/', '/dist/src/').replace(/\.ts$/, '.js');
        const flags = /^(api|worker)\/src\/main\.ts$/.test(main) ? nodeFlags : [];
        const started = valuesOf(unit, 'ExecStart').map((line) => line.replace('/opt/dune-and-tide/current/', ''));
        expect(started).to.deep.equal([['/usr/bin/node', ...flags, built].join(' ')]);
        await access(new URL(main, root));
      });

      it('has only valid settings', () => {
        const own = Object.fromEntries(
          valuesOf(unit, 'Environment').map((line): [string, string] => {
            const [key = '', value = ''] = line.split('=');
            return [key, value.replace('%d', credentials).replace('%i', instance).replace('%C', '/var/cache')];
          }),
        );
        const { NODE_ENV: mode, ...settings } = own;
        expect(mode).to.equal('production');
        const taken = Object.keys(readOwn({ ...common, ...settings }));
        for (const key of Object.keys(settings)) expect(taken).to.include(key.replace(/_FILE$/, ''));
        for (const key of Object.keys(common)) expect(settingRules).to.have.property(key);
      });

      it('reads its secrets from files that only root can read', () => {
        for (const line of valuesOf(unit, 'LoadCredential')) {
          const [secret = '', file] = line.split(':');
          expect(secrets).to.have.property(secret);
          expect(file).to.equal(`/etc/dune-and-tide/secrets/${secret}`);
          expect(unit).to.include(`_FILE=%d/${secret}\n`);
        }
        expect(unit.match(/_FILE=/g)).to.have.lengthOf(valuesOf(unit, 'LoadCredential').length);
      });

      it('has no rights that it does not need', () => {
        expect(valuesOf(unit, 'User')).to.deep.equal(['dune-tide']);
        expect(valuesOf(unit, 'NoNewPrivileges')).to.deep.equal(['yes']);
        expect(valuesOf(unit, 'ProtectSystem')).to.deep.equal(['strict']);
        expect(valuesOf(unit, 'CapabilityBoundingSet')).to.deep.equal(['']);
      });

      if (instance !== '') {
        it('can finish before it is killed, and restarts whenever it exits', () => {
          expect(Number(valuesOf(unit, 'TimeoutStopSec')[0]) * 1000).to.be.above(defaultDeadlineMs);
          expect(valuesOf(unit, 'Restart')).to.deep.equal(['always']);
          // Even after many restarts in a row.
          expect(valuesOf(unit, 'StartLimitIntervalSec')).to.deep.equal(['0']);
        });

        it('counts as started once it responds, and stops waiting if it has exited', async () => {
          const [call = ''] = valuesOf(unit, 'ExecStartPost');
          const [, port = ''] = /http:\/\/(?:127\.0\.0\.1|\$\$host):(\S+)\/\w+;/.exec(call) ?? [];
          expect([`PORT=${port}`, `METRICS_PORT=${port}`].some((line) => unit.includes(`${line}\n`))).to.equal(true);
          const [, script = ''] = /^\/bin\/sh -c '(.+)'$/.exec(call) ?? [];
          const ended = spawn('true');
          await once(ended, 'exit');
          const waiting = spawn('/bin/sh', ['-c', script.replace('/usr/bin/curl', 'false').replaceAll('$$', '$')], {
            env: { ...process.env, MAINPID: String(ended.pid) },
            timeout: hangLimitSeconds * 1000,
          });
          expect(await once(waiting, 'exit')).to.deep.equal([1, null]);
          expect(Number(valuesOf(unit, 'TimeoutStartSec')[0])).to.be.above(20);
        });

        it('is checked at the address on which it listens', async () => {
          const [call = ''] = valuesOf(unit, 'ExecStartPost');
          const [, script = ''] = /^\/bin\/sh -c '(.+)'$/.exec(call) ?? [];
          const asked = async (settings: Record<string, string>): Promise<string | undefined> => {
            const text = script.replace('/usr/bin/curl', 'echo').replaceAll('$$', '$').replaceAll('%i', '1');
            const { stdout } = await promisify(execFile)('/bin/sh', ['-c', text], {
              env: { PATH: process.env['PATH'], ...settings },
              timeout: hangLimitSeconds * 1000,
            });
            return stdout.trim().split(' ').at(-1);
          };
          if (name === 'dune-and-tide-api@.service') {
            // HOST must include this address (docs/SCALING.md).
            expect(await asked({ HOST: '0.0.0.0' })).to.equal('http://127.0.0.1:1/healthz');
            return;
          }
          expect(await asked({})).to.equal('http://127.0.0.1:9461/metrics');
          expect(await asked({ METRICS_HOST: '10.0.0.5' })).to.equal('http://10.0.0.5:9461/metrics');
          expect(await asked({ METRICS_HOST: 'fd00::5' })).to.equal('http://[fd00::5]:9461/metrics');
        });
      }
    });
  }
});
