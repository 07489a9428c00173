import { execFile } from 'node:child_process';
import { access, chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeFlags } from '@dune-tide/platform/node-flags';
import { readApiSettings } from '@dune-tide/api/settings';
import { readMigrateSettings } from '@dune-tide/ops/settings';
import { settingRules } from '@dune-tide/platform/settings';
import { defaultDeadlineMs } from '@dune-tide/platform/shutdown';
import { readWorkerSettings } from '@dune-tide/worker/settings';
import { expect } from 'chai';
import { DCLinter } from 'dclint';
import { parse } from 'yaml';

interface Service {
  readonly image?: string;
  readonly build?: { readonly target: string };
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
  readonly deploy?: { readonly resources: { readonly limits: Readonly<Record<string, unknown>> } };
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

/** The linter's own types do not resolve for an ES module. */
interface LintedFile {
  readonly messages: readonly { readonly line: number; readonly rule: string; readonly message: string }[];
}

const root = new URL('../../../', import.meta.url);
const read = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');
const composeFile = new URL('docker-compose.yml', root).pathname;

/** What Docker puts in place of a variable that nobody set. */
const withDefaults = (value: string | number): string => {
  // The innermost first: a default may have one of its own.
  const text = String(value).replaceAll(/\$\{\w+:-([^{}]*)\}/g, '$1');
  return text === String(value) ? text : withDefaults(text);
};

const secretsAt = '/run/secrets/';

/** Whether a program ends with 0. */
const succeeds = (program: string, words: readonly string[], environment = process.env): Promise<boolean> =>
  promisify(execFile)(program, words, { env: environment, timeout: 10_000 }).then(
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

  it('is as the Compose Specification has it', () => {
    const style = ['service-keys-order', 'services-alphabetical-order', 'top-level-properties-order'];
    // What is built here has a name to be found by; the linter does not see defaults of variables.
    const wrong = ['no-build-and-image', 'no-unbound-port-interfaces', 'no-quotes-in-volumes'];
    const rules = Object.fromEntries([...style, ...wrong].map((rule) => [rule, 0] as const));
    const linter = new DCLinter({ rules, quiet: true, debug: false, exclude: [] });
    const files = linter.lintFiles([composeFile], false) as readonly LintedFile[];
    expect(
      files.flatMap(({ messages }) => messages).map(({ line, rule, message }) => `${line}: ${rule}: ${message}`),
    ).to.deep.equal([]);
  });

  it('has what the product is made of', () => {
    expect(Object.keys(compose.services)).to.have.members([
      'front',
      'api',
      'worker',
      'migrate',
      'postgres',
      'redis',
      'mailpit',
    ]);
  });

  it('gives no service more than it needs', () => {
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

  it("lets the migration and the operator's commands reach every server that api reaches", () => {
    expect(compose.services['migrate']?.networks).to.deep.equal(compose.services['api']?.networks);
  });

  it('sees how each service is that goes on, and starts it again', () => {
    for (const [name, { restart, healthcheck }] of services) {
      const isOneShot = name === 'migrate';
      expect(restart, name).to.equal(isOneShot ? 'no' : 'unless-stopped');
      if (!isOneShot) expect(healthcheck, name).to.be.an('object');
    }
  });

  for (const name of ['api', 'worker']) {
    it(`takes ${name} for well only where it says that it is ready`, async () => {
      const { environment = {}, healthcheck } = compose.services[name] ?? {};
      const [kind, program, option, script = ''] = healthcheck?.test ?? [];
      expect([kind, program, option]).to.deep.equal(['CMD', 'node', '-e']);
      const metrics = `127.0.0.1:${environment['METRICS_PORT']}`;
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
      const check = () => succeeds(process.execPath, ['-e', script.replace(metrics, `127.0.0.1:${port}`)]);
      expect(await check(), 'ready').to.equal(true);
      status = 503;
      expect(await check(), 'not ready').to.equal(false);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      expect(await check(), 'away').to.equal(false);
      expect([...asked]).to.deep.equal(['/readyz']);
    });
  }

  it('takes Redis for well only where it answers to its password', async () => {
    const [kind, script = ''] = compose.services['redis']?.healthcheck?.test ?? [];
    expect(kind).to.equal('CMD-SHELL');
    const directory = await mkdtemp(join(tmpdir(), 'redis-'));
    try {
      await writeFile(join(directory, 'redis-password.conf'), 'requirepass secret\n');
      // As Redis' own does: what is refused is no failure to it.
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

  it('keeps every job of the queue, also over a restart of Redis', async () => {
    const lines = (await read('deploy/compose/redis.conf')).split('\n');
    expect(lines).to.include.members(['appendonly yes', 'maxmemory-policy noeviction']);
  });

  it('hands visitors to every api that runs, since one that lacks the queue still takes leads in', async () => {
    expect(await read('deploy/compose/haproxy.cfg')).to.match(/^ {2}option httpchk GET \/healthz$/m);
  });

  it('lets api and worker run any number of times', () => {
    for (const name of ['api', 'worker']) {
      expect(compose.services[name], name).to.not.have.any.keys('container_name', 'ports');
    }
    expect(compose.services.api).to.not.have.property('volumes');
  });

  it("keeps the worker's notes of mails, in a directory of the image's user, when its container ends", async () => {
    const { environment = {}, volumes = [] } = compose.services.worker ?? {};
    const directory = String(environment.CACHE_DIRECTORY);
    expect(volumes).to.deep.equal([`worker-cache:${directory}`]);
    expect(compose.volumes).to.have.property('worker-cache');
    expect(await read('Dockerfile')).to.include(`RUN install -d -o node -g node ${directory}\nUSER node\n`);
  });

  it('lets nobody in from other machines unless it is told to', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []).map(withDefaults);
    expect(ports).to.have.members(['127.0.0.1:8080:8080', '127.0.0.1:8025:8025']);
  });

  it('believes no header of whoever comes through a published port, unless it is told to', async () => {
    const { subnet = '', gateway = '' } = compose.networks['outside']?.ipam?.config[0] ?? {};
    expect(subnet).to.match(/^\d+\.\d+\.\d+\.0\/24$/);
    expect(gateway).to.equal(subnet.replace('.0/24', '.1'));
    expect(withDefaults(compose.services['front']?.environment?.['OUTER_PROXIES'] ?? '')).to.equal('127.0.0.1');
    expect(withDefaults(compose.services['api']?.environment?.['TRUSTED_PROXIES'] ?? '')).to.equal(
      `${subnet},127.0.0.1`,
    );
    expect(await read('docs/RUNBOOK.md')).to.include(`OUTER_PROXIES=${gateway}\n`);
    const front = (await read('deploy/compose/haproxy.cfg')).split('\n').map((line) => line.trim());
    // In this order: what a stranger sent is gone before the front names him.
    expect(front.filter((line) => /from_outer_proxy|forwardfor/.test(line))).to.deep.equal([
      'acl from_outer_proxy src "${OUTER_PROXIES}"',
      'http-request del-header X-Forwarded-For unless from_outer_proxy',
      'option forwardfor',
    ]);
  });

  it('builds each image once', () => {
    const built = services.flatMap(([, { build, image }]) => (build ? [image] : []));
    expect(built).to.have.members([...new Set(built)]);
    expect(built).to.include(compose.services['migrate']?.image);
  });

  it("calls its own images by the product's version", async () => {
    const { version } = JSON.parse(await read('package.json')) as { version: string };
    for (const name of ['api', 'worker', 'migrate']) {
      const image = name === 'migrate' ? 'api' : name;
      expect(compose.services[name]?.image, name).to.equal(`dune-and-tide/${image}:${version}`);
    }
    expect(await read('CHANGELOG.md')).to.match(new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'));
  });

  it('lets a process finish before it is killed', () => {
    for (const name of ['api', 'worker']) {
      const grace = /^(\d+)s$/.exec(compose.services[name]?.stop_grace_period ?? '')?.[1];
      expect(Number(grace) * 1000, name).to.be.above(defaultDeadlineMs);
    }
  });

  it('names exact versions', () => {
    for (const [name, { image }] of services) expect(image, name).to.match(/:v?\d+\.\d+(\.\d+)?(-[a-z0-9.]+)?$/);
  });

  it('holds no secret', async () => {
    expect(await readFile(composeFile, 'utf8')).to.not.match(/:\/\/[^\s/'"]*:[^\s/'"]*@/);
    const secret = /(PASSWORD|SECRET|KEYS?|DATABASE_URL|REDIS_URL|SMTP_URL)$/;
    for (const [name, { environment = {} }] of services) {
      expect(
        Object.keys(environment).filter((key) => secret.test(key)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('mounts files that are there', async () => {
    const files = services.flatMap(([, { volumes = [] }]) =>
      volumes.flatMap((each) => /^\.\/([^:]+)/.exec(each)?.[1] ?? []),
    );
    expect(files).to.have.members([
      'deploy/compose/haproxy.cfg',
      'deploy/compose/redis.conf',
      'scripts/dump-database.sh',
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

    it('finds each of them, and in its service', async () => {
      expect(await readdir(directory)).to.have.members(Object.keys(compose.secrets));
      for (const [name, { file }] of Object.entries(compose.secrets)) {
        expect(file).to.equal(`./deploy/secrets/${name}`);
      }
      for (const [name, { environment = {}, secrets = [] }] of services) {
        const mounted = Object.values(environment).flatMap((value) =>
          String(value).startsWith(secretsAt) ? [String(value).slice(secretsAt.length)] : [],
        );
        // Redis' own file names its secret.
        expect(secrets, name).to.have.members(name === 'redis' ? ['redis-password.conf'] : mounted);
      }
    });

    it('lets nobody but their owner into the folder', async () => {
      expect((await stat(directory)).mode & 0o777).to.equal(0o700);
    });

    it('makes them once, and each differently', async () => {
      const contents = (): Promise<string[]> =>
        Promise.all(Object.keys(compose.secrets).map((name) => readFile(join(directory, name), 'utf8')));
      const before = await contents();
      await makeSecrets();
      expect(await contents()).to.deep.equal(before);
      expect(new Set(before).size).to.equal(before.length);
    });

    it('makes none for words that name no folder, and says how it is used', async () => {
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
      it(`sets for ${name} all that its process reads, and nothing else`, () => {
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

  /** A stage's own lines and those of the stages it is made from. */
  function linesOf(name: string): readonly string[] {
    const stage = stages.get(name);
    return stage ? [...linesOf(stage.base), ...stage.lines] : [];
  }

  it('begins with exact versions', () => {
    for (const [name, { base }] of stages) {
      if (!stages.has(base)) expect(base, name).to.match(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    }
  });

  it('gives npm every workspace', async () => {
    const { workspaces } = JSON.parse(await read('package.json')) as { workspaces: readonly string[] };
    expect(linesOf('manifests').filter((line) => /^COPY \w+\/package\.json/.test(line))).to.deep.equal(
      workspaces.toSorted().map((workspace) => `COPY ${workspace}/package.json ${workspace}/`),
    );
  });

  for (const name of ['api', 'worker']) {
    it(`makes ${name} of all that it imports, to run as an ordinary user`, async () => {
      const needed = new Set<string>();
      const visit = async (workspace: string): Promise<void> => {
        if (needed.has(workspace)) return;
        needed.add(workspace);
        const { dependencies } = JSON.parse(await read(`${workspace}/package.json`)) as {
          dependencies: Readonly<Record<string, string>>;
        };
        for (const each of Object.keys(dependencies)) {
          const [, ours] = /^@dune-tide\/(\w+)$/.exec(each) ?? [];
          if (ours !== undefined) await visit(ours);
        }
      };
      await visit(name);
      const lines = linesOf(name);
      for (const workspace of needed) {
        expect(lines).to.include(`COPY --from=build /app/${workspace}/dist ${workspace}/dist`);
      }
      expect(lines.filter((line) => line.startsWith('USER'))).to.deep.equal(['USER node']);
      const command = lines.find((line) => line.startsWith('CMD'))?.slice('CMD'.length) ?? '';
      expect(JSON.parse(command)).to.deep.equal(['node', ...nodeFlags, `${name}/dist/src/main.js`]);
    });
  }

  it('takes nothing in but what .dockerignore lets through, and no secret is among it', async () => {
    const rules = (await read('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).to.equal('*');
    expect(rules.filter((rule) => /^!(\.env|\.data|deploy|backups|\.git)/.test(rule))).to.deep.equal([]);
    expect(rules).to.include.members(['**/.env', '**/node_modules', '**/dist']);
  });
});
