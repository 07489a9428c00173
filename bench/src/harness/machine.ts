import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The kernel's unit of processor time: USER_HZ is 100 on every Linux that Node supports. */
const tickMs = 10;

/**
 * Returns the processor time of all programs of the machine in milliseconds, including database, queue and load
 * (proc(5), /proc/stat). Time that the hypervisor took is not included.
 */
export async function machineTime(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softIrq) * tickMs;
}

/** Returns the processor time of one process in milliseconds (proc(5), /proc/pid/stat). */
export async function processTime(pid: number): Promise<number> {
  const { own } = await timesOf(pid);
  return own;
}

/** Returns the processor time of a process and its children in milliseconds, including children that have ended. */
export async function familyTime(pid: number): Promise<number> {
  const { own, ofEnded } = await timesOf(pid);
  const children = await childrenOf(pid);
  // A child that ends between the two reads is missed once. Servers keep their children during a measurement.
  const times = await Promise.all(children.map((child) => processTime(child).catch(() => 0)));
  return times.reduce((sum, time) => sum + time, own + ofEnded);
}

async function timesOf(pid: number): Promise<{ readonly own: number; readonly ofEnded: number }> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in front may contain any character and ends with the last bracket.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  return { own: ((user ?? 0) + (system ?? 0)) * tickMs, ofEnded: ((endedUser ?? 0) + (endedSystem ?? 0)) * tickMs };
}

async function childrenOf(pid: number): Promise<number[]> {
  const line = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return line.split(' ').filter(Boolean).map(Number);
}

/** Returns the resident memory of a process in megabytes (proc(5), VmRSS). */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/**
 * Reads the memory of a process five times a second. A single reading can be tens of megabytes too high, depending on
 * the last garbage collection.
 * @returns a function that stops and returns the readings in megabytes
 */
export function watchMemory(pid: number): () => readonly number[] {
  const megabytes: number[] = [];
  const reading = setInterval(() => {
    residentMegabytes(pid).then(
      (found) => megabytes.push(found),
      // The measurement itself fails if the process has ended.
      () => undefined,
    );
  }, 200);
  return () => {
    clearInterval(reading);
    return megabytes;
  };
}

/** Returns the processor use of other programs, from 0 to the number of cores. */
async function busyCores(): Promise<number> {
  const before = await machineTime();
  await pause(1_000);
  return ((await machineTime()) - before) / 1_000;
}

/**
 * Describes the machine of a measurement. Call it before the measurement starts.
 * @param versions - the versions of the servers
 */
export async function describeMachine(versions: readonly string[]): Promise<string[]> {
  const load = loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
  const cores = cpus();
  return [
    `${cores[0]?.model.trim() ?? 'unknown processor'}, ${cores.length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`,
    [`Node.js ${process.versions.node}`, ...versions].join(', '),
    `database on ${await fileSystem(tmpdir())}, fsync and synchronous_commit on`,
    `${new Date().toISOString().slice(0, 10)}, load ${load}, others kept ${(await busyCores()).toFixed(2)} cores busy`,
  ];
}

async function fileSystem(directory: string): Promise<string> {
  const parameters = ['--noheadings', '--output', 'FSTYPE,SOURCE', '--target', directory];
  const { stdout } = await promisify(execFile)('findmnt', parameters);
  return stdout.trim().replace(/\s+/, ' of ');
}
