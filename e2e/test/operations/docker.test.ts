import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hangLimitSeconds } from '@dune-tide/testkit/until';
import { nodeFlags } from '@dune-tide/platform/node-flags';
import { apiHeaders } from '@dune-tide/api/http/server/security-headers';
import { readApiSettings } from '@dune-tide/api/settings';
import { readMigrateSettings } from '@dune-tide/ops/settings';
import { settingRules } from '@dune-tide/platform/settings';
import { defaultDeadlineMs } from '@dune-tide/platform/shutdown';
import { readWorkerSettings } from '@dune-tide/worker/settings';
import { monitoring } from '@dune-tide/e2e/docker-check/stand-ins';
import { expect } from 'chai';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly build?: { readonly target: string; readonly args: Readonly<Record<string, string>> };
  readonly command?: readonly string[];
  readonly user?: string;
  readonly stop_grace_period?: string;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly container_name?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: {
    readonly replicas?: string;
    readonly resources: { readonly limits: Readonly<Record<string, unknown>> };
  };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, object>>;
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly internal?: boolean;
        readonly ipam?: { readonly config: readonly { readonly subnet: string; readonly gateway: string }[] };
      }
    >
  >;
}

/** Declared here because the linter's types do not resolve for an ES module. */
interface LintedFile {
  readonly messages: readonly { readonly line: number; readonly rule: string; readonly message: string }[];
}

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');
const composeFile = new URL('docker-compose.yml', root).pathname;

/** Replaces variables by their defaults, as Docker does if they are unset. */
const withDefaults = (value: string | number): string => {
  // Start with the innermost: a default may contain another variable with a default.
  const text = String(value).replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1');
  return text === String(value) ? text : withDefaults(text);
};

const secretsAt = '/run/secrets/';

/** Returns whether a program exits with 0. */
const succeeds = (program: string, words: readonly string[], environment = process.env): Promise<boolean> =>
  promisify(execFile)(program, words, { env: environment, timeout: hangLimitSeconds * 1000 }).then(
    () => true,
    () => false,
  );

describe('docker-compose.yml', () => {
  let compose: Compose;
  let services: [name: string, service: Service][];
  before(async () => {
    compose = parse(await readFile(composeFile, 'utf8'), { merge: true }) as Compose;
    services = Object.entries(compose.services);
  });

  it('conforms to the Compose Specification', () => {
    const style = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'];
    // These rules do not fit: a built image needs a name as well, and the linter does not resolve defaults of
    // variables.
    const wrong = ['no-build-and-image', 'no-unbound-port-interfaces', 'no-quotes-in-volumes'];
    const rules = Object.fromEntries([...style, ...wrong].map((rule) => [rule, 0] as const));
    const linter = new DCLinter({ rules, quiet: true, debug: false, exclude: [] });
    const files = linter.lintFiles([composeFile], false) as readonly LintedFile[];
    expect(
      files.flatMap(({ messages }) => messages).map(({ line, rule, message }) => `${line}: ${rule}: ${message}`),
    ).to.deep.equal([]);
  });

  it('has the services of the product', () => {
    expect(Object.keys(compose.services)).to.have.members([
      'front',
      'api',
      'worker',
      'migrate',
      'roles',
      'postgres',
      'redis',
      'mailpit',
      ...monitoring,
      'grafana',
    ]);
  });

  it('starts the monitoring only with its profile', () => {
    const profiles = services.flatMap(([name, service]) => (service.profiles ? [[name, service.profiles]] : []));
    expect(profiles).to.have.deep.members([...monitoring, 'grafana'].map((name) => [name, ['monitoring']]));
  });

  it('gives no service more rights than it needs', () => {
    for (const [name, service] of services) {
      expect(service.read_only, name).to.equal(true);
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      expect(service.security_opt, name).to.deep.equal(['no-new-privileges:true']);
      expect(service.user, name).to.match(/^(?!root$|0(:|$)).+/);
      expect(service.deploy?.resources.limits, name).to.include.all.keys('cpus', 'memory', 'pids');
    }
    expect(compose.networks['inside']?.internal).to.equal(true);
    for (const name of ['postgres', 'redis']) {
      expect(compose.services[name]?.networks, name).to.deep.equal(['inside']);
      expect(compose.services[name]?.ports, name).to.equal(undefined);
    }
  });

  it("gives the migration and the operator's commands access to every server of the API", () => {
    expect(compose.services['migrate']?.networks).to.deep.equal(compose.services['api']?.networks);
  });

  it('checks the health of every long-running service and restarts it', () => {
    for (const [name, { restart, healthcheck }] of services) {
      const isOneShot = name === 'migrate' || name === 'roles';
      expect(restart, name).to.equal(isOneShot ? 'no' : 'unless-stopped');
      if (!isOneShot) expect(healthcheck, name).to.be.an('object');
    }
  });

  for (const name of ['api', 'worker']) {
    it(`considers ${name} healthy only if it reports that it is ready`, async () => {
      const { environment = {}, healthcheck } = compose.services[name] ?? {};
      const [kind, program, option, script = ''] = healthcheck?.test ?? [];
      // Starting Node.js for each check would take a twentieth of a core.
      expect([kind, program, option]).to.deep.equal(['CMD', 'bash', '-c']);
      const metrics = `/dev/tcp/127.0.0.1/${environment['METRICS_PORT']}`;
      expect(script).to.include(metrics);
      let status = 200;
      const asked = new Set<string | undefined>();
      const server = createServer(({ url }, response) => {
        asked.add(url);
        response.writeHead(status).end();
      });
      const port = await new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
      );
      const own = script.replaceAll('$$', '$').replace(metrics, `/dev/tcp/127.0.0.1/${port}`);
      const check = () => succeeds('bash', ['-c', own]);
      expect(await check(), 'ready').to.equal(true);
      status = 503;
      expect(await check(), 'not ready').to.equal(false);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(await check(), 'unavailable').to.equal(false);
      expect([...asked]).to.deep.equal(['/readyz']);
    });
  }

  it('considers Redis healthy only if it responds to its password', async () => {
    const [kind, script = ''] = compose.services['redis']?.healthcheck?.test ?? [];
    expect(kind).to.equal('CMD-SHELL');
    const directory = await mkdtemp(join(tmpdir(), 'redis-'));
    try {
      await writeFile(join(directory, 'redis-password.conf'), 'requirepass secret\n');
      // Like the real redis-cli, it exits with 0 even if the command is rejected.
      const client =
        '#!/bin/sh\n[ "$REDISCLI_AUTH" = "$KNOWN" ] && echo PONG || echo NOAUTH Authentication required.\n';
      await writeFile(join(directory, 'redis-cli'), client, { mode: 0o700 });
      const own = script.replaceAll('$$', '$').replace(secretsAt, `${directory}/`);
      const check = (known: string) =>
        succeeds('/bin/sh', ['-c', own], { PATH: `${directory}:${process.env['PATH']}`, KNOWN: known });
      expect(await check('secret')).to.equal(true);
      expect(await check('another')).to.equal(false);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('keeps every job of the queue, even after a restart of Redis', async () => {
    const lines = (await read('deploy/compose/redis.conf')).split('\n');
    expect(lines).to.include.members(['appendonly yes', 'maxmemory-policy noeviction']);
  });

  it('distributes visitors to every running API, even to one without the queue, which still stores leads', async () => {
    expect(await read('deploy/compose/haproxy.cfg')).to.match(/^ {2}option httpchk GET \/healthz$/m);
  });

  it('repeats a request that a stopping API did not respond to only if that is harmless', async () => {
    const front = (await read('deploy/compose/haproxy.cfg')).split('\n').map((line) => line.trim());
    expect(front.filter((line) => /retry-on|l7-retry/.test(line) && !line.startsWith('#'))).to.deep.equal([
      'retry-on conn-failure empty-response',
      'http-request disable-l7-retry unless METH_GET or { req.hdr(Idempotency-Key) -m found }',
    ]);
  });

  it("has the headers of the API on HAProxy's own errors, and keeps those that the API sends", async () => {
    const front = (await read('deploy/compose/haproxy.cfg')).split('\n').map((line) => line.trim());
    const own = front.flatMap((line) => {
      const [, name = '', value = '', kept] =
        /^http-after-response set-header (\S+) "?(.+?)"? unless \{ res\.hdr\((\S+)\) -m found \}$/.exec(line) ?? [];
      if (name !== '') expect(kept).to.equal(name);
      return name === '' ? [] : [[name, value.replaceAll('; ', ';')]];
    });
    const ofApi = apiHeaders('https://studio.example');
    expect(Object.fromEntries(own)).to.deep.equal({
      'X-Content-Type-Options': ofApi.get('x-content-type-options'),
      'Content-Security-Policy': ofApi.get('content-security-policy'),
    });
  });

  it('sends visitors to a new API only after its first successful check', async () => {
    expect(await read('deploy/compose/haproxy.cfg')).to.match(/^ {2}default-server .*\binit-state down$/m);
  });

  it('runs any number of API and worker containers', () => {
    for (const name of ['api', 'worker']) {
      expect(compose.services[name], name).to.not.have.any.keys('container_name', 'ports');
    }
    // Each process would write to a volume that it shares.
    for (const volume of compose.services.api?.volumes ?? []) expect(volume).to.match(/:ro$/);
  });

  it('starts the configured number of API and worker containers, and tells Prometheus', () => {
    const { api, worker, prometheus } = compose.services;
    expect([api, worker].map((service) => withDefaults(service?.deploy?.replicas ?? ''))).to.deep.equal(['2', '1']);
    expect(prometheus?.environment).to.include({
      API_CONTAINERS: api?.deploy?.replicas,
      WORKER_CONTAINERS: worker?.deploy?.replicas,
      PUBLIC_URL: api?.environment?.['PUBLIC_URL'],
    });
  });

  it('shows the API the folder in which scripts/compose-backup.sh writes', async () => {
    const { environment = {}, volumes = [] } = compose.services.api ?? {};
    expect(volumes.map(withDefaults)).to.deep.equal([`./backups:${environment['BACKUP_DIRECTORY']}:ro`]);
    expect(await read('scripts/compose-backup.sh')).to.include('directory=${directory:-backups}\n');
  });

  it("keeps the worker's cache and unstored outcomes in a volume that the image's user can write to", async () => {
    const { environment = {}, volumes = [] } = compose.services.worker ?? {};
    const directory = String(environment.CACHE_DIRECTORY);
    expect(volumes).to.deep.equal([`worker-cache:${directory}`]);
    expect(compose.volumes).to.have.property('worker-cache');
    expect(await read('Dockerfile')).to.include(`RUN install -d -o node -g node ${directory}\n`);
  });

  it('accepts no connections from other machines by default', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []).map(withDefaults);
    expect(ports).to.have.members(
      ['8080:8080', '8025:8025', '9090:9090', '9093:9093', '3000:3000'].map((each) => `127.0.0.1:${each}`),
    );
  });

  it('trusts no forwarding header from the published port by default', async () => {
    const { subnet = '', gateway = '' } = compose.networks['outside']?.ipam?.config[0] ?? {};
    expect(subnet).to.match(/^\d+\.\d+\.\d+\.0\/24$/);
    expect(gateway).to.equal(subnet.replace('.0/24', '.1'));
    expect(withDefaults(compose.services['front']?.environment?.['OUTER_PROXIES'] ?? '')).to.equal('127.0.0.1');
    expect(withDefaults(compose.services['api']?.environment?.['TRUSTED_PROXIES'] ?? '')).to.equal(
      `${subnet},127.0.0.1`,
    );
    expect(await read('docs/RUNBOOK.md')).to.include(`OUTER_PROXIES=${gateway}\n`);
    const front = (await read('deploy/compose/haproxy.cfg')).split('\n').map((line) => line.trim());
    // The order matters: delete the client's header before HAProxy adds its own.
    expect(front.filter((line) => /from_outer_proxy|forwardfor/.test(line))).to.deep.equal([
      'acl from_outer_proxy src "${OUTER_PROXIES}"',
      'http-request del-header X-Forwarded-For unless from_outer_proxy',
      'option forwardfor',
    ]);
  });

  it('builds each image only once', () => {
    const built = services.flatMap(([, { build, image }]) => (build ? [image] : []));
    expect(built).to.have.members([...new Set(built)]);
    expect(built).to.include(compose.services['migrate']?.image);
  });

  it('names its images by IMAGE and IMAGE_TAG, so that those of a release are never built over', async () => {
    for (const name of ['api', 'worker', 'migrate']) {
      const { image, build } = compose.services[name] ?? {};
      expect(image, name).to.equal(`\${IMAGE:-dune-and-tide}/${name === 'worker' ? name : 'api'}:\${IMAGE_TAG:-local}`);
      if (build) expect(build.args, name).to.include({ COMMIT: '${COMMIT:-}', IMAGE_TAG: '${IMAGE_TAG:-local}' });
    }
    const { version } = JSON.parse(await read('package.json')) as { version: string };
    expect(await read('CHANGELOG.md')).to.match(new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
  });

  it('lets a process finish before it is killed', () => {
    for (const name of ['api', 'worker']) {
      const grace = /^(\d+)s$/.exec(compose.services[name]?.stop_grace_period ?? '')?.[1];
      expect(Number(grace) * 1000, name).to.be.above(defaultDeadlineMs);
    }
  });

  it('pins exact versions', () => {
    const others = services.filter(([name]) => !['api', 'worker', 'migrate'].includes(name));
    for (const [name, { image }] of others) expect(image, name).to.match(/:v?\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?$/);
  });

  it('contains no secret', async () => {
    expect(await readFile(composeFile, 'utf8')).to.not.match(/:\/\/[^\s/'"]*:[^\s/'"]*@/);
    const secret = /(PASSWORD|SECRET|KEYS?|DATABASE_URL|REDIS_URL|SMTP_URL)$/;
    for (const [name, { environment = {} }] of services) {
      expect(
        Object.keys(environment).filter((key) => secret.test(key)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('mounts only files that exist', async () => {
    const files = services.flatMap(([, { volumes = [] }]) =>
      volumes.flatMap((each) => /^\.\/([^:]+)/.exec(each)?.[1] ?? []),
    );
    expect(files).to.have.members([
      'deploy/compose/haproxy.cfg',
      'deploy/compose/redis.conf',
      'scripts/dump-database.sh',
      'scripts/database-roles.sh',
      'db/roles.sql',
      'deploy/prometheus/docker.yml',
      'deploy/prometheus/docker.sh',
      'deploy/prometheus/alerts.yml',
      'deploy/prometheus/blackbox.yml',
      'deploy/grafana/datasource.yml',
      'deploy/grafana/dashboards.yml',
      'deploy/grafana/dune-and-tide.json',
    ]);
    for (const file of files) await access(new URL(file, root));
  });

  describe('with the secrets that scripts/compose-secrets.sh makes', () => {
    let directory: string;
    const program = new URL('scripts/compose-secrets.sh', root).pathname;
    const makeSecrets = () => promisify(execFile)(program, [directory]);
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'secrets-'));
      await chmod(directory, 0o755);
      await makeSecrets();
    });
    after(() => rm(directory, { recursive: true }));

    it('mounts each secret in the services that use it', async () => {
      expect(await readdir(directory)).to.have.members(Object.keys(compose.secrets));
      for (const [name, { file }] of Object.entries(compose.secrets)) {
        expect(file).to.equal(`./deploy/secrets/${name}`);
      }
      for (const [name, { environment = {}, secrets = [] }] of services) {
        const mounted = Object.values(environment).flatMap((value) =>
          String(value).startsWith(secretsAt) ? [String(value).slice(secretsAt.length)] : [],
        );
        // Redis and Alertmanager read theirs from a configuration file.
        const configured = { redis: ['redis-password.conf'], alertmanager: ['alertmanager.yml'] }[name];
        expect(secrets, name).to.have.members(configured ?? mounted);
      }
    });

    it('gives access to the folder to its owner only', async () => {
      expect((await stat(directory)).mode & 0o777).to.equal(0o700);
    });

    it('creates random secrets once and does not replace them', async () => {
      const contents = (): Promise<string[]> =>
        Promise.all(Object.keys(compose.secrets).map((name) => readFile(join(directory, name), 'utf8')));
      const before = await contents();
      await makeSecrets();
      expect(await contents()).to.deep.equal(before);
      expect(new Set(before).size).to.equal(before.length);
    });

    it('names the roles of the bundled server, and copies the URL of an external server', async () => {
      const elsewhere = await mkdtemp(join(tmpdir(), 'secrets-'));
      const secret = async (name: string): Promise<string> => (await readFile(join(elsewhere, name), 'utf8')).trim();
      const external = 'postgres://studio:0a1b@db.example/studio';
      try {
        await promisify(execFile)(program, [elsewhere]);
        expect(await secret('database-url')).to.match(/^postgres:\/\/app:[\da-f]{48}@postgres:5432\/studio$/);
        expect(await secret('migration-database-url')).to.match(
          /^postgres:\/\/migrate:[\da-f]{48}@postgres:5432\/studio$/,
        );

        await rm(join(elsewhere, 'migration-database-url'));
        await writeFile(join(elsewhere, 'database-url'), `${external}\n`);
        await promisify(execFile)(program, [elsewhere]);
        expect([await secret('database-url'), await secret('migration-database-url')]).to.deep.equal([
          external,
          external,
        ]);
      } finally {
        await rm(elsewhere, { recursive: true });
      }
    });

    it('creates none and prints its usage for arguments that are not a folder', async () => {
      const elsewhere = await mkdtemp(join(tmpdir(), 'secrets-'));
      try {
        for (const [words, code] of [
          [['--help'], 0],
          [['-h'], 0],
          [['--force'], 1],
          [['-'], 1],
          [['one', 'two'], 1],
        ] as const) {
          const ended = await promisify(execFile)(program, words, { cwd: elsewhere }).then(
            ({ stdout, stderr }) => ({ code: 0, said: stdout, other: stderr }),
            (error: { code: number; stdout: string; stderr: string }) => ({
              code: error.code,
              said: error.stderr,
              other: error.stdout,
            }),
          );
          expect(ended, words.join(' ')).to.include({ code, other: '' });
          expect(ended.said, words.join(' ')).to.match(/^Usage: scripts\/compose-secrets\.sh \[DIRECTORY\]\n/);
          expect(await readdir(elsewhere), words.join(' ')).to.deep.equal([]);
        }
      } finally {
        await rm(elsewhere, { recursive: true });
      }
    });

    for (const [name, readOwn] of [
      ['api', readApiSettings],
      ['worker', readWorkerSettings],
      ['migrate', readMigrateSettings],
    ] as const) {
      it(`sets every setting that the process of ${name} reads, and no other`, () => {
        const environment = Object.entries(compose.services[name]?.environment ?? {}).map(
          ([key, value]) => [key, withDefaults(value).replace(secretsAt, `${directory}/`)] as const,
        );
        const settings = Object.keys(readOwn(Object.fromEntries(environment)));
        for (const [key, value] of environment) {
          const setting = key.replace(/_FILE$/, '');
          expect(settingRules, key).to.have.property(setting);
          if (value !== '') expect(settings, key).to.include(setting);
        }
        expect(environment.map(([key]) => key.replace(/_FILE$/, ''))).to.include.members(settings);
      });
    }
  });
});

describe('the Dockerfile', () => {
  interface Stage {
    readonly base: string;
    readonly lines: readonly string[];
  }
  const stages = new Map<string, Stage>();
  before(async () => {
    const [, ...parts] = (await read('Dockerfile')).split(/^FROM /m);
    for (const part of parts) {
      const [head = '', ...lines] = part.split('\n');
      const [base = '', , name = ''] = head.split(' ');
      stages.set(name, { base, lines });
    }
  });

  /** Returns the lines of a stage and of the stages that it is based on. */
  function linesOf(name: string): readonly string[] {
    const stage = stages.get(name);
    return stage ? [...linesOf(stage.base), ...stage.lines] : [];
  }

  it('starts from exact versions', () => {
    for (const [name, { base }] of stages) {
      if (!stages.has(base) && base !== 'scratch') expect(base, name).to.match(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    }
  });

  it('puts the bill of materials of its packages into each image, and names it in a label', () => {
    for (const [name, workspaces] of [
      ['api', ['api', 'ops']],
      ['worker', ['worker']],
    ] as const) {
      const words = workspaces.map((workspace) => `--workspace=@dune-tide/${workspace}`).join(' ');
      const lines = linesOf(`${name}-files`);
      expect(lines).to.include(`RUN npm ci --ignore-scripts ${words}`);
      expect(lines).to.include(`RUN npm run --silent sbom -- ${words} > sbom.cdx.json`);
      expect(linesOf(name)).to.include('LABEL dune-and-tide.sbom=/app/sbom.cdx.json');
    }
  });

  it('names the commit and the tag in labels of each image', () => {
    for (const name of ['api', 'worker']) {
      const lines = stages.get(name)?.lines ?? [];
      expect(lines, name).to.include.members([
        'ARG COMMIT IMAGE_TAG',
        'LABEL org.opencontainers.image.revision=$COMMIT org.opencontainers.image.version=$IMAGE_TAG',
      ]);
    }
  });

  it('runs on the line of Node.js that .nvmrc names', async () => {
    const line = (await read('.nvmrc')).trim();
    const bases = [...stages.values()].map(({ base }) => base).filter((base) => base.startsWith('node:'));
    expect(new Set(bases)).to.have.lengthOf(1);
    expect(bases[0]).to.match(new RegExp(`^node:${line}\\.`));
  });

  it('copies the manifest of every workspace before npm runs', async () => {
    const { workspaces } = JSON.parse(await read('package.json')) as { workspaces: readonly string[] };
    expect(linesOf('manifests').filter((line) => /^COPY \w+\/package\.json/.test(line))).to.deep.equal(
      workspaces.toSorted().map((workspace) => `COPY ${workspace}/package.json ${workspace}/`),
    );
  });

  for (const name of ['api', 'worker']) {
    it(`builds ${name} from all packages that it imports, and runs it as a non-root user`, async () => {
      const needed = new Set<string>();
      const visit = async (workspace: string): Promise<void> => {
        if (needed.has(workspace)) return;
        needed.add(workspace);
        const { dependencies = {} } = JSON.parse(await read(`${workspace}/package.json`)) as {
          dependencies?: Readonly<Record<string, string>>;
        };
        for (const each of Object.keys(dependencies)) {
          const [, ours] = /^@dune-tide\/(\w+)$/.exec(each) ?? [];
          if (ours !== undefined) await visit(ours);
        }
      };
      await visit(name);
      const lines = linesOf(name);
      const files = stages.get(`${name}-files`)?.lines ?? [];
      for (const workspace of needed) {
        expect(files).to.include(`COPY --from=build /app/${workspace}/dist ${workspace}/dist`);
      }
      expect(files.findLast((line) => line !== '' && !line.startsWith('#'))).to.equal(
        'RUN sh /usr/local/bin/prune-image.sh /app',
      );
      expect(stages.get(`${name}-files`)?.base).to.equal('production-manifests');
      // One layer each, because what an earlier stage removed would still be in a layer below.
      expect(stages.get('runtime')?.base).to.equal('scratch');
      expect(lines.filter((line) => /^(COPY|ADD|RUN)\b/.test(line))).to.deep.equal([
        'COPY --from=system / /',
        `COPY --from=${name}-files /app ./`,
      ]);
      expect(lines.filter((line) => line.startsWith('USER'))).to.deep.equal(['USER node']);
      const command = lines.find((line) => line.startsWith('CMD'))?.slice('CMD'.length) ?? '';
      expect(JSON.parse(command)).to.deep.equal(['node', ...nodeFlags, `${name}/dist/src/main.js`]);
    });
  }

  it('copies only what .dockerignore allows, which includes no secret', async () => {
    const rules = (await read('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).to.equal('*');
    expect(rules.filter((rule) => /^!(\.env|\.data|deploy|backups|\.git)/.test(rule))).to.deep.equal([]);
    expect(rules).to.include.members(['**/.env', '**/node_modules', '**/dist']);
  });
});
