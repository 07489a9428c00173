/*
 * `make docker-check`: runs the deployment of docker-compose.yml on a Debian machine that needs neither an engine nor an
 * image registry (CONTRIBUTING.md, "Checking the deployment with Docker").
 *
 * This process installs what is missing and starts `inside.ts` in separate namespaces, where the engine and all
 * containers run. Killing the first process of the PID namespace ends them all.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgress } from '@dune-tide/platform/progress';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';
import { installTools } from '@dune-tide/testkit/services/services';
import { until } from '@dune-tide/testkit/until';
import { preparePlugins } from './plugins.ts';
import { createRun } from './run.ts';
import { createStep, type PassedStep, type StepReport } from './steps.ts';

/** The time in which the kernel ends the killed processes. */
const endSeconds = 60;
/** The exit codes that a shell uses. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const folder = process.env['DOCKER_CHECK_FOLDER'] ?? '/var/tmp/dune-and-tide-docker-check';
const progress = createProgress();
const say = (line: string): void => {
  progress.clear();
  process.stdout.write(`${line}\n`);
};

if (process.getuid?.() !== 0) {
  say('make docker-check must run as root: it starts a container engine.');
  process.exit(1);
}

const passed: PassedStep[] = [];
const lineOf = ({ title, seconds, result }: PassedStep): string =>
  `${title.padEnd(46)} ${`${seconds.toFixed(1)} s`.padStart(8)}   ${result}`;
function report(event: StepReport): void {
  if (event.kind === 'started') return progress.show(event.title);
  passed.push(event);
  say(`✓ ${lineOf(event)}`);
}

const interruption = new AbortController();
let exitCode = 0;
for (const [signal, code] of Object.entries(exitCodes)) {
  // The signal can arrive twice: the terminal sends it to the whole process group, and make forwards it.
  process.on(signal, () => {
    if (interruption.signal.aborted) return;
    say('Interrupted; stopping.');
    exitCode = code;
    interruption.abort();
  });
}

const started = performance.now();
await mkdir(folder, { recursive: true, mode: 0o700 });
const runFolder = await mkdtemp(join(folder, 'run-'));
const logFile = join(folder, 'log.txt');
await writeFile(logFile, '');
say(`Base images are kept in ${folder}, and the log in ${logFile}. DOCKER_CHECK_FOLDER names another folder.\n`);
const cgroup = `docker-check-${process.pid}`;

try {
  const step = createStep(report);
  const run = createRun(logFile, process.env);
  await step('engine and tools from Debian', async () => {
    await installTools(['dockerd', 'slirp4netns', 'debootstrap']);
    return (await run('dockerd', ['--version'])).trim();
  });
  await step('Compose and Buildx', () =>
    preparePlugins(folder, (program, words, options) =>
      run(program, words, { ...options, interrupted: interruption.signal }),
    ),
  );
  await runInside();
  say(`\n${passed.map(lineOf).join('\n')}`);
  say(`\nThe deployment works; checked in ${((performance.now() - started) / 60_000).toFixed(1)} min`);
} catch (error) {
  if (!interruption.signal.aborted) {
    exitCode = 1;
    say(`✗ ${error instanceof Error ? error.message : String(error)}\n\nThe log is in ${logFile}.`);
  }
} finally {
  progress.clear();
  await removeCgroups('/sys/fs/cgroup');
  await rm(runFolder, { recursive: true, force: true, maxRetries: 10 });
}
process.exit(exitCode);

/** Runs the steps that need the engine. @throws with the message of the step that failed */
async function runInside(): Promise<void> {
  // The kernel kills the namespaces' processes if this process ends for any reason.
  const pdeath = ['--pdeathsig', 'KILL', 'unshare', '--kill-child=KILL'];
  const namespaces = ['--net', '--mount', '--propagation', 'private', '--pid', '--fork', '--mount-proc'];
  const [prepare, inside] = ['prepare-namespaces.sh', 'inside.ts'].map((name) =>
    fileURLToPath(new URL(name, import.meta.url)),
  );
  const node = [process.execPath, '--conditions=source', '--import', 'tsx', inside ?? ''];
  const child = spawn('setpriv', [...pdeath, ...namespaces, 'sh', prepare ?? '', ...node], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DOCKER_CONFIG: join(folder, 'docker-config'),
      CHECK_FOLDER: folder,
      CHECK_RUN_FOLDER: runFolder,
      CHECK_LOG: logFile,
      CHECK_CGROUP: cgroup,
    },
    detached: true,
  });
  let network: Network | undefined;
  let failure: string | undefined;
  child.on('message', (message: StepReport | { readonly kind: 'ready' } | { kind: 'failed'; message: string }) => {
    if (message.kind === 'ready') {
      startNetwork(child.pid ?? 0).then(
        (connected) => (network = connected),
        (error: unknown) => {
          failure = String(error);
          child.kill('SIGKILL');
        },
      );
    } else if (message.kind === 'failed') failure = message.message;
    else report(message);
  });
  const stop = (): void => void child.kill('SIGKILL');
  interruption.signal.addEventListener('abort', stop);
  if (interruption.signal.aborted) stop();
  const end = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  await network?.stop();
  interruption.signal.throwIfAborted();
  if (failure !== undefined) throw new Error(failure);
  if (end !== 0) throw new Error(`The processes in the namespaces ended with ${end}.`);
}

interface Network {
  stop(): Promise<void>;
}

/** Connects the network namespace of a process to the machine's network. The machine's firewall does not change. */
async function startNetwork(pid: number): Promise<Network> {
  const [own, other] = await Promise.all(['self', pid].map((each) => readlink(`/proc/${each}/ns/net`)));
  // Otherwise slirp4netns would change the machine's own network.
  if (own === other) throw new Error('The engine shares the network namespace of this machine.');
  const child = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'slirp4netns', '--configure', '--disable-host-loopback', String(pid), 'tap0'],
    { stdio: 'ignore', detached: true },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      say(`slirp4netns: ${error.message}`);
      resolve();
    });
    child.once('close', () => resolve());
  });
  return {
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/**
 * Removes the control groups that killed containers leave behind, of cgroup v1 and v2. The kernel ends killed processes
 * after their parent, and a group is busy until its last process has ended.
 */
async function removeCgroups(root: string): Promise<void> {
  const hierarchies = await readdir(root, { withFileTypes: true });
  const parents = [root, ...hierarchies.filter((each) => each.isDirectory()).map(({ name }) => join(root, name))];
  for (const parent of parents) {
    const group = join(parent, cgroup);
    await until(`the processes of ${group} have ended`, () => removeTree(group), endSeconds, 100);
  }
}

/** @returns false if a process of the group is left */
async function removeTree(group: string): Promise<boolean> {
  try {
    for (const entry of await readdir(group, { withFileTypes: true })) {
      if (entry.isDirectory() && !(await removeTree(join(group, entry.name)))) return false;
    }
    // Its files cannot be deleted and disappear with it.
    await rmdir(group);
  } catch (error) {
    if (codeOf(error) === 'EBUSY') return false;
    if (!isMissingFile(error)) throw error;
  }
  return true;
}
