/*
 * The steps of `make docker-check` that need the engine. `main.ts` starts this process in separate namespaces and ends
 * it with all that it has started.
 */
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brand } from '@dune-tide/domain/brand';
import { until } from '@dune-tide/testkit/until';
import { startEngine, type Engine } from './engine.ts';
import { checkImage } from './images.ts';
import { readEmail, readInbox, type EmailContent } from './inbox.ts';
import { createRun } from './run.ts';
import { commandsOf, type RunbookCommands } from './runbook.ts';
import { openStack } from './stack.ts';
import { loadStandIns } from './stand-ins.ts';
import { createStep } from './steps.ts';
import { openVisitors } from './visitors.ts';

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
const buildSeconds = 1_200;
const servers = { front: 1, postgres: 1, redis: 1, mailpit: 1 };
const three = { ...servers, api: 3, worker: 3 };

const step = createStep(send);
const { CHECK_CGROUP: cgroup = '', ...environment } = process.env;
const run = createRun(logFile, environment);
const checkout = join(runFolder, 'checkout');
const backups = join(runFolder, 'backups');
const stack = openStack(run, checkout);
const visitors = openVisitors(runFolder, site, inbox, staffEmail);
const runbook = await readFile(join(root, 'docs/RUNBOOK.md'), 'utf8');

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

/** Replaces the containers of a service under load as the runbook says. @returns what was seen */
async function replace(service: string): Promise<string> {
  const before = await stack.containersOf(service);
  const requests = await visitors.during(async () => {
    await stack.shell(`scripts/compose-replace.sh ${service}`);
  });
  const after = await stack.containersOf(service);
  const kept = after.filter((id) => before.includes(id));
  if (after.length !== before.length || kept.length > 0) {
    throw new Error(`${after.length} containers instead of ${before.length}, ${kept.length} of them old`);
  }
  return `${requests} of ${requests} requests returned 201`;
}

async function check(engine: Engine): Promise<void> {
  await step('stand-ins for base images', () => loadStandIns(run, folder));
  await step('checkout made with umask 077', async () => {
    await mkdir(checkout, { mode: 0o700 });
    await mkdir(backups, { mode: 0o700 });
    const copy =
      'git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --ignore-failed-read -T - -cf - |' +
      ` { umask 077; tar -xf - --no-same-permissions --no-same-owner -C '${checkout}'; }`;
    await run('sh', ['-ec', copy], { folder: root });
    const lines = [`STAFF_EMAIL=${staffEmail}`, 'PUBLIC_POST_LIMIT=0', 'EMAIL_LIMIT=0', 'REQUIRE_SECOND_FACTOR=off'];
    await writeFile(join(checkout, '.env'), `${lines.join('\n')}\n`);
    await stack.shell('umask 077; scripts/compose-secrets.sh');
    return 'with secrets';
  });
  await step('images built', async () => {
    await stack.compose(['build'], buildSeconds);
    return 'api, worker';
  });
  const images = (await stack.compose(['config', '--images'])).split('\n').filter((name) => name.startsWith('dune-'));
  for (const image of new Set(images)) await step(`content of ${image}`, () => checkImage(run, image));

  await step('start', async () => {
    await stack.compose(['up', '--detach', '--scale', 'api=2']);
    return stack.healthy({ ...servers, api: 2, worker: 1 });
  });
  await step('lead through the front', async () => {
    const email = 'noura@visitor.example';
    const message = 'We would like to talk about short films for our dates.';
    const body = { firstName: 'Noura', lastName: 'al-Harbi', email, service: 'ugc', message };
    await visitors.post('contact', 'contact', body);
    const [acknowledgement, notice] = [await emailTo(email), await emailTo(staffEmail)];
    if (!acknowledgement.Text.includes(brand.name)) throw new Error('The acknowledgement does not name the studio');
    if (!notice.Text.includes('/admin/leads/')) throw new Error('The notice to staff does not link to the lead');
    return '201; the acknowledgement and the notice to staff arrived';
  });
  await step('portfolio request', async () => {
    const email = 'amal@visitor.example';
    await visitors.post('portfolio_request', 'portfolio-lead', { email, source: 'portfolio_view' });
    const { Attachments } = await emailTo(email);
    const pdf = Attachments.find(({ ContentType }) => ContentType === 'application/pdf');
    if (pdf === undefined) throw new Error('The email has no PDF');
    return `201; the email with a PDF of ${(pdf.Size / 1024).toFixed(0)} KiB arrived`;
  });
  await step('sign-in and a command', async () => {
    const count = await countMessages(await signIn());
    if (count !== 1) throw new Error(`Staff see ${count} contact messages instead of 1`);
    const accounts = await stack.shell(commandsOf(runbook, 'command'));
    if (!/\badmin\b/.test(accounts)) throw new Error(`The list of accounts has no admin: ${accounts}`);
    return 'staff see the lead; the list of accounts has admin';
  });
  await step('scale to 3 and 3', async () => {
    const scale = ['--scale', 'api=3', '--scale', 'worker=3'];
    await stack.compose(['up', '--detach', '--no-deps', '--no-recreate', ...scale, 'api', 'worker']);
    return stack.healthy(three);
  });
  for (const service of ['api', 'worker']) {
    await step(`3 ${service} containers replaced under load`, () => replace(service));
  }
  await step('emails of the leads in the meantime', () => visitors.emailed(0));
  await step('worker killed under load', async () => {
    const [worker = ''] = await stack.containersOf('worker');
    const pid = Number(await run('docker', ['inspect', '--format', '{{.State.Pid}}', worker]));
    const requests = await visitors.during(async () => {
      process.kill(pid, 'SIGKILL');
      await stack.healthy(three);
    });
    return `${requests} of ${requests} requests returned 201; Docker started it again`;
  });
  await step('emails of the leads in the meantime', () => visitors.emailed(workerConcurrency));

  const messages = await countMessages(await signIn());
  await step('backup', async () => {
    await operate('backup');
    return `${messages} contact messages`;
  });
  await step('fresh stack', async () => {
    await stack.compose(['down', '--volumes']);
    await stack.compose(['up', '--detach', '--scale', 'api=2']);
    const seen = await stack.healthy({ ...servers, api: 2, worker: 1 });
    const count = await countMessages(await signIn());
    if (count !== 0) throw new Error(`The fresh stack has ${count} contact messages`);
    return `${seen}, no lead`;
  });
  await step('restore', async () => {
    await operate('restore');
    await stack.healthy({ ...servers, api: 1, worker: 1 });
    const count = await countMessages(await signIn());
    if (count !== messages) throw new Error(`${count} contact messages instead of ${messages}`);
    return `${count} contact messages, sign-in works`;
  });
  await step('end', async () => {
    await stack.compose(['down', '--volumes']);
    await engine.stop();
    return 'all containers and the engine have stopped';
  });
}

/** Runs commands of the runbook that back up or restore, with a folder of the check. */
async function operate(commands: RunbookCommands): Promise<void> {
  await stack.shell(commandsOf(runbook, commands).replaceAll('/mnt/safe', backups));
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
