/*
 * The steps of `make docker-check` that need the engine. `main.ts` starts this process in separate namespaces and ends
 * it with all that it has started.
 */
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { previousRelease } from '@dune-tide/db/schema';
import { brand } from '@dune-tide/domain/brand';
import { until } from '@dune-tide/testkit/until';
import { startEngine, type Engine } from './engine.ts';
import { checkImage } from './images.ts';
import { readEmail, readInbox, type EmailContent } from './inbox.ts';
import { createRun } from './run.ts';
import { checkMonitoring } from './monitoring.ts';
import { commandsOf, overrideOf, type RunbookCommands } from './runbook.ts';
import { openStack } from './stack.ts';
import { loadStandIns, monitoring } from './stand-ins.ts';
import { createStep } from './steps.ts';
import { longestOutage, openVisitors } from './visitors.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is unset: start the check with make docker-check`);
  return value;
};
const [folder, runFolder, logFile] = ['CHECK_FOLDER', 'CHECK_RUN_FOLDER', 'CHECK_LOG'].map(setting) as [
  string,
  string,
  string,
];
const send = (message: unknown): void => void process.send?.(message);

const root = fileURLToPath(new URL('../../../', import.meta.url));
const site = 'http://127.0.0.1:8080';
const inbox = 'http://127.0.0.1:8025';
const staffEmail = 'staff@studio.example';
/** The number of emails that one worker sends concurrently. A killed worker may have sent them without recording it. */
const workerConcurrency = 10;
const buildSeconds = 1_800;
const { version: earlier, commit: earlierCommit } = previousRelease;
const servers = { front: 1, postgres: 1, redis: 1, mailpit: 1 };
/** The numbers of containers that docker-compose.yml starts. */
const counts = { ...servers, api: 2, worker: 1 };

const step = createStep(send);
const { CHECK_CGROUP: cgroup = '', ...environment } = process.env;
const run = createRun(logFile, environment);
const checkout = join(runFolder, 'dune-and-tide');
const stack = openStack(run, checkout);
const visitors = openVisitors(runFolder, site, inbox, staffEmail);
const runbook = await readFile(join(root, 'docs/RUNBOOK.md'), 'utf8');
/** The commit that is checked: that of this checkout, with the changes that are not committed yet. */
let release = '';

/** Waits for an email. @param isThat - selects it by its recipient */
async function emailTo(recipient: string): Promise<EmailContent> {
  const email = await until(`an email to ${recipient}`, async () =>
    (await readInbox(inbox)).find(({ to }) => to === recipient),
  );
  return readEmail(inbox, email);
}

/** Signs in as the first account. @returns the session's cookie */
async function signIn(): Promise<string> {
  const password = (await readFile(join(checkout, 'deploy/secrets/admin-password'), 'utf8')).trim();
  const response = await fetch(`${site}/api/admin/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
    signal: AbortSignal.timeout(20_000),
  });
  if (response.status !== 200) throw new Error(`The sign-in returned ${response.status}`);
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** Counts the contact messages as staff see them. */
async function countMessages(cookie: string): Promise<number> {
  const response = await fetch(`${site}/api/admin/contacts?limit=1`, {
    headers: { Cookie: cookie },
    signal: AbortSignal.timeout(20_000),
  });
  if (response.status !== 200) throw new Error(`The list of contact messages returned ${response.status}`);
  return Number(response.headers.get('X-Total-Count'));
}

/** Runs commands of the runbook in a checkout, with the values of its placeholders. @returns their standard output */
function operate(commands: RunbookCommands, backup = ''): Promise<string> {
  return stack.shell(
    commandsOf(runbook, commands)
      .replaceAll('git checkout NEW', `git checkout ${release}`)
      .replaceAll('backups/TIME.dump', backup)
      // With Docker, the commands run in the container of the API, as the head of the page describes.
      .replace(/make (staff|follow-ups) ARGS="(.*?)"/g, 'docker compose exec api node ops/dist/src/$1.js $2')
      // Debian does not package Grafana, so its image lacks a stand-in.
      .replace('--profile monitoring up --detach', `$& ${monitoring.join(' ')}`)
      .replaceAll('/etc/ssl/', `${runFolder}/`),
  );
}

/** Runs commands of the runbook under load. @returns what was seen. @throws if a request failed */
async function operateUnderLoad(commands: RunbookCommands): Promise<string> {
  const requests = await visitors.during(async () => void (await operate(commands)));
  return `${requests} of ${requests} requests returned 201`;
}

/** Checks that every acknowledged form is stored and that every email has arrived once. @returns what it counted */
async function nothingLost(mostDoubles = 0): Promise<string> {
  const emails = await visitors.emailed(mostDoubles);
  const stored = await countMessages(await signIn());
  const acknowledged = visitors.contactMessages();
  if (stored !== acknowledged) throw new Error(`${acknowledged} messages were acknowledged, ${stored} are stored`);
  return `${stored} of ${acknowledged} messages stored; ${emails}`;
}

/** @throws unless all API and worker containers run the release */
async function runs(tag: string): Promise<string> {
  for (const service of ['api', 'worker'] as const) {
    const images = await stack.imagesOf(service);
    const expected = Array.from({ length: counts[service] }, () => `dune-and-tide/${service}:${tag}`);
    if (images.join() !== expected.join())
      throw new Error(`${service} runs ${images.join()} instead of ${expected.join()}`);
  }
  return stack.healthy(counts);
}

const serversNow = (): Promise<string[][]> => Promise.all(Object.keys(servers).map((each) => stack.containersOf(each)));

/** Upgrades under load. Only the API and the worker may be replaced. */
async function upgrade(tag: string): Promise<string> {
  const before = await serversNow();
  const requests = await operateUnderLoad('upgrade');
  await runs(tag);
  const replaced = (await serversNow()).filter((ids, index) => ids.join() !== before[index]?.join());
  if (replaced.length > 0) throw new Error(`The upgrade replaced ${replaced.length} of the servers`);
  return requests;
}

async function check(engine: Engine): Promise<void> {
  const isChanged = (await run('git', ['status', '--porcelain', '--untracked-files=no'], { folder: root })) !== '';
  // Makes a commit of the changes, without changing anything.
  const words = isChanged ? ['stash', 'create'] : ['rev-parse', 'HEAD'];
  release = (await run('git', words, { folder: root })).trim();
  await step('stand-ins for base images', () => loadStandIns(run, folder));
  await step('installation', async () => {
    const commands = commandsOf(runbook, 'install')
      .replace('REPOSITORY', root)
      .replaceAll('git checkout NEW', `git checkout ${release}`);
    const place = join(runFolder, 'new');
    await mkdir(place);
    await run('sh', ['-ec', `umask 077\n${commands}`], { folder: place, limitSeconds: buildSeconds });
    const installed = openStack(run, join(place, 'dune-and-tide'));
    const seen = await installed.healthy(counts);
    await installed.compose(['down', '--volumes']);
    return seen;
  });
  await step(`checkout of ${earlier} with umask 077`, async () => {
    const clone = `umask 077; git clone --quiet '${root}' '${checkout}' && cd '${checkout}' && git checkout ${earlierCommit}`;
    await run('sh', ['-ec', clone]);
    const settings = { STAFF_EMAIL: staffEmail, PUBLIC_POST_LIMIT: 0, EMAIL_LIMIT: 0, REQUIRE_SECOND_FACTOR: 'off' };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(checkout, '.env'), lines.join(''));
    await stack.shell('scripts/compose-secrets.sh');
    return `commit ${earlierCommit}, with secrets`;
  });
  await step(`images of ${earlier}`, async () => {
    await stack.compose(['build'], buildSeconds);
    return 'api, worker';
  });
  await step(`start of ${earlier}`, async () => {
    await stack.compose(['up', '--detach', '--scale', 'api=2']);
    return stack.healthy(counts);
  });
  await step('leads before the upgrade', async () => {
    const requests = await visitors.during(async () => undefined);
    return `${requests} of ${requests} requests returned 201`;
  });

  const tag = await tagOf(release);
  await step(`upgrade from ${earlier} under load`, () => upgrade(tag));
  await step('forms and emails of that time', () => nothingLost());
  for (const service of ['api', 'worker']) {
    await step(`content of the image ${service}`, async () => {
      const image = `dune-and-tide/${service}:${tag}`;
      const label = '{{index .Config.Labels "org.opencontainers.image.revision"}}';
      const revision = (await run('docker', ['image', 'inspect', '--format', label, image])).trim();
      if (revision !== release) throw new Error(`The label names the commit ${revision} instead of ${release}`);
      return `${await checkImage(run, image)}, commit in the label`;
    });
  }
  await step('lead through the front', async () => {
    const email = 'noura@visitor.example';
    const message = 'We would like to talk about short films for our dates.';
    const body = { firstName: 'Noura', lastName: 'al-Harbi', email, service: 'ugc', message };
    await visitors.post('contact', 'contact', body);
    const acknowledgement = await emailTo(email);
    if (!acknowledgement.Text.includes(brand.name)) throw new Error('The acknowledgement does not name the studio');
    return '201; the acknowledgement arrived';
  });
  await step('portfolio request', async () => {
    const email = 'amal@visitor.example';
    await visitors.post('portfolio_request', 'portfolio-lead', { email, source: 'portfolio_view' });
    const { Attachments } = await emailTo(email);
    const pdf = Attachments.find(({ ContentType }) => ContentType === 'application/pdf');
    if (pdf === undefined) throw new Error('The email has no PDF');
    return `201; the email with a PDF of ${(pdf.Size / 1024).toFixed(0)} KiB arrived`;
  });
  await step('plain up under load', async () => {
    const before = await Promise.all(Object.keys(counts).map((each) => stack.containersOf(each)));
    const requests = await visitors.during(async () => void (await stack.compose(['up', '--detach'])));
    const after = await Promise.all(Object.keys(counts).map((each) => stack.containersOf(each)));
    if (after.join() !== before.join()) throw new Error('A plain up has replaced containers');
    return `${requests} of ${requests} requests returned 201; no container was replaced`;
  });

  await step(`going back to ${earlier} under load`, async () => {
    const requests = await operateUnderLoad('goBack');
    await runs(earlier);
    return requests;
  });
  await step('rollback of the migrations', async () => {
    const listed = await operate('rollbackList').then(
      () => 'nothing',
      (error: unknown) => String(error),
    );
    if (!listed.includes('--yes rolls back these migrations')) throw new Error(`The command listed ${listed}`);
    const seconds = await longestOutage(site, async () => void (await operate('rollback')));
    const requests = await visitors.during(async () => undefined);
    return `interrupted for ${seconds.toFixed(1)} s; then ${requests} of ${requests} requests returned 201`;
  });
  await step('upgrade again under load', () => upgrade(tag));
  await step('forms and emails of that time', () => nothingLost());

  await step('keys rotated under load', async () => {
    const cookie = await signIn();
    const requests = await operateUnderLoad('rotation');
    await countMessages(cookie);
    await runs(tag);
    return `${requests}; the member stayed signed in`;
  });
  await step('worker killed under load', async () => {
    const [worker = ''] = await stack.containersOf('worker');
    const pid = Number(await run('docker', ['inspect', '--format', '{{.State.Pid}}', worker]));
    const requests = await visitors.during(async () => {
      process.kill(pid, 'SIGKILL');
      await stack.healthy(counts);
    });
    return `${requests} of ${requests} requests returned 201; Docker started it again`;
  });
  await step('forms and emails of that time', () => nothingLost(workerConcurrency));

  await step('monitoring', async () => {
    await stack.compose(['--profile', 'monitoring', 'config', '--quiet']);
    await operate('monitoring');
    return checkMonitoring(visitors, site, checkout, counts);
  });
  await step('emails in each state', async () => {
    if (!/^failed +0$/m.test(await operate('waitingEmails'))) throw new Error('Emails have failed');
    return 'none has failed';
  });

  let file = '';
  const messages = visitors.contactMessages();
  await step('backup', async () => {
    file = (await operate('backup')).trim();
    return `${file}, ${messages} contact messages`;
  });
  await step('restore', async () => {
    await visitors.during(async () => undefined);
    const seconds = await longestOutage(site, async () => void (await operate('restore', file)));
    await stack.healthy(counts);
    const count = await countMessages(await signIn());
    if (count !== messages) throw new Error(`${count} contact messages instead of ${messages}`);
    return `interrupted for ${seconds.toFixed(1)} s; ${count} of ${messages} contact messages, sign-in works`;
  });
  await step('restarts of single services', async () => {
    const seconds: string[] = [];
    for (const service of ['front', 'postgres', 'redis']) {
      const outage = await longestOutage(site, async () => void (await stack.compose(['restart', service])));
      seconds.push(`${service} ${outage.toFixed(1)} s`);
    }
    return `interrupted: ${seconds.join(', ')}`;
  });
  await step('disk full', async () => {
    await operate('diskFull');
    await stack.shell(`test -e '${file}'`);
    return 'the new backup stays';
  });
  await step('a member leaves', async () => {
    for (const name of ['noura', 'layla']) {
      await stack.shell(`docker compose exec api node ops/dist/src/staff.js add ${name} --name ${name} --random`);
    }
    const accounts = await operate('leave');
    if (!/layla.*owner/i.test(accounts)) throw new Error(`layla is not an owner: ${accounts}`);
    return 'the account is inactive';
  });
  await step('external servers', () => moveOut(file));

  await step('end', async () => {
    await stack.compose(['--profile', '*', 'down', '--volumes', '--remove-orphans']);
    await engine.stop();
    return 'all containers and the engine have stopped';
  });
}

/** @returns the tag that scripts/compose-images.sh gives the images of a commit */
async function tagOf(commit: string): Promise<string> {
  const manifest = await run('git', ['show', `${commit}:package.json`], { folder: root });
  const { version } = JSON.parse(manifest) as { readonly version: string };
  return `${version}-${commit.slice(0, 8)}`;
}

/** Moves the product to a PostgreSQL outside of the Compose file, and the queue to it. @param backup - a backup's file */
async function moveOut(backup: string): Promise<string> {
  const [image = ''] = await stack.imagesOf('postgres');
  const network = ['--network', 'dune-and-tide_inside', '--network-alias', 'db.example'];
  const password = join(checkout, 'deploy/secrets/postgres-password');
  const secret = ['--volume', `${password}:/run/password:ro`, '--env', 'POSTGRES_PASSWORD_FILE=/run/password'];
  const words = ['--detach', '--name', 'outside', '--user', 'postgres', ...network, ...secret, image, 'postgres'];
  await run('docker', ['run', ...words]);
  const inOutside = (command: string, input = '/dev/null'): Promise<string> =>
    stack.shell(`docker exec --interactive outside ${command} < ${input}`);
  await until('the server responds', () =>
    inOutside('pg_isready -h 127.0.0.1').then(
      () => true,
      () => false,
    ),
  );
  await inOutside('createdb studio');
  await inOutside('psql --dbname studio --set ON_ERROR_STOP=1', 'db/roles.sql');
  await inOutside(`psql --command "alter role app password 'a'" --command "alter role migrate password 'm'"`);
  const restore = '--role migrate --no-owner --no-privileges --single-transaction --dbname studio';
  await inOutside(`pg_restore ${restore}`, backup);
  await stack.shell(
    'echo postgres://app:a@db.example/studio > deploy/secrets/database-url; echo postgres://migrate:m@db.example/studio >' +
      ' deploy/secrets/migration-database-url; : > deploy/secrets/redis-url; chmod a+r deploy/secrets/*;' +
      ` openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=authority -keyout /dev/null -out '${runFolder}/authority.pem';` +
      ` chmod a+r '${runFolder}/authority.pem'`,
  );
  const override = overrideOf(runbook).replaceAll('/etc/ssl/', `${runFolder}/`);
  await writeFile(join(checkout, 'docker-compose.override.yml'), override);
  const messages = await countMessages(await signIn());
  await operate('externalServers');
  await until('the site is ready', () =>
    fetch(`${site}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const left = [await stack.containersOf('postgres'), await stack.containersOf('redis')].flat();
  if (left.length > 0) throw new Error('The bundled servers still run');
  const count = await countMessages(await signIn());
  if (count !== messages) throw new Error(`${count} contact messages instead of ${messages}`);
  const requests = await visitors.during(async () => undefined);
  await run('docker', ['rm', '--force', '--volumes', 'outside']);
  await rm(join(checkout, 'docker-compose.override.yml'));
  return `${count} contact messages; ${requests} of ${requests} requests returned 201`;
}

try {
  send({ kind: 'ready' });
  let engine: Engine | undefined;
  await step('engine started', async () => {
    engine = await startEngine(run, runFolder, logFile, cgroup);
    return `Docker ${engine.version}`;
  });
  if (engine !== undefined) await check(engine);
  process.disconnect?.();
} catch (error) {
  for (const words of [
    ['ps', '--all'],
    ['logs', '--tail', '200', '--no-color'],
  ]) {
    // Only for the log: the stack may not exist yet.
    await stack.compose(words, 60).catch(() => undefined);
  }
  const message = error instanceof Error ? error.message : String(error);
  appendFileSync(logFile, `\n${message}\n`);
  // Ends the engine too, because it ends the namespace.
  process.send?.({ kind: 'failed', message }, () => process.exit(1));
}
