import { spawn } from 'node:child_process';
import { existsSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { until } from '@dune-tide/testkit/until';
import type { Run } from './run.ts';

const startSeconds = 60;
/** The number of processes whose share of the processor all containers get together. */
const cpuShare = 10;

/** A container engine in the namespaces of this process. */
export interface Engine {
  readonly version: string;
  /** Stops the engine. @throws if it does not stop within a minute */
  stop(): Promise<void>;
}

/**
 * Starts the engine.
 * @param folder - receives images, containers and volumes
 * @param cgroup - the control group of all containers
 */
export async function startEngine(run: Run, folder: string, logFile: string, cgroup: string): Promise<Engine> {
  await until('the network is connected', () => networkInterfaces()['tap0'] !== undefined, startSeconds);
  await prepareCgroup(cgroup);
  const log = openSync(logFile, 'a');
  const words = [
    ['--data-root', join(folder, 'engine')],
    ['--storage-driver', 'overlay2'],
    // The machine's systemd cannot manage the containers' control groups.
    ['--exec-opt', 'native.cgroupdriver=cgroupfs'],
    ['--cgroup-parent', `/${cgroup}`],
    ['--log-level', 'warn'],
    ['--ip6tables=false', '--ipv6=false'],
  ];
  const child = spawn('dockerd', words.flat(), { stdio: ['ignore', log, log] });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(String(code ?? signal)));
  });
  let end: string | undefined;
  void ended.then((how) => (end = how));
  const version = await until(
    'the engine responds',
    () => {
      if (end !== undefined) throw new Error(`dockerd ended with ${end}`);
      return run('docker', ['version', '--format', '{{.Server.Version}}'], {
        limitSeconds: 10,
        isRepeated: true,
      }).catch(() => undefined);
    },
    startSeconds,
    250,
  );
  return {
    version: version.trim(),
    async stop() {
      child.kill('SIGTERM');
      await until('the engine has stopped', () => end);
    },
  };
}

/** Creates the control group (version 1). With the default, all containers together get the time of a single process. */
async function prepareCgroup(cgroup: string): Promise<void> {
  const hierarchy = '/sys/fs/cgroup/cpu';
  if (!existsSync(hierarchy)) return;
  await mkdir(join(hierarchy, cgroup));
  await writeFile(join(hierarchy, cgroup, 'cpu.shares'), String(cpuShare * 1024));
}
