import type { RunningProcess } from '@dune-tide/testkit/processes';
import type { TestCluster } from '@dune-tide/testkit/cluster';
import type { Ledger } from './ledger.ts';
import type { Load, LoadOptions } from './load.ts';
import type { TestProxy } from '@dune-tide/testkit/proxy';
import type { TestRedis } from '@dune-tide/testkit/redis';
import type { RunningSystem } from './running-system.ts';
import type { SmtpScript } from '@dune-tide/testkit/smtp';

/** Where the queue lives. */
export type Backend = 'PostgreSQL' | 'Redis';
export const bothBackends: readonly Backend[] = ['PostgreSQL', 'Redis'];

type Api = RunningProcess & { readonly url: string };

/** What a fault disturbs. Everything runs and answers when it begins, and must again when it ends. */
export interface Scene {
  readonly backend: Backend;
  readonly system: RunningSystem;
  readonly ledger: Ledger;
  readonly apis: Api[];
  readonly workers: RunningProcess[];
  /** Message-IDs of which one more copy is allowed. */
  readonly cut: Set<string>;
  /** Recipients that the mail server refuses for good. */
  readonly refused: Set<string>;
  /** Lets visitors come to all APIs. */
  load(options: Omit<LoadOptions, 'urls'> & { readonly urls?: readonly string[] }): Load;
  /** SIGKILLs a process. */
  kill(running: RunningProcess): Promise<void>;
  /** SIGKILLs a worker and ends its leases. What it was sending may be there twice, unless `before` the body. */
  killWorker(worker: RunningProcess, moment?: 'before the body'): Promise<void>;
  /** Waits until so many mails were accepted. */
  mailed(count: number): Promise<void>;
  /** There when the fault asks for it. */
  readonly redis: SceneRedis;
  readonly cluster: TestCluster;
  readonly databaseProxy: TestProxy;
  readonly mailProxy: TestProxy;
  readonly queueProxy: TestProxy;
}

export interface SceneRedis {
  current(): TestRedis;
  /** Starts it, empty, where it was or is to be. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Runs one command on it. */
  command(name: string, ...parameters: string[]): Promise<unknown>;
}

/** One fault to survive (reliability, "Faults to survive"). */
export interface Fault {
  readonly name: string;
  /** Backends of the queue that it is tried with. */
  readonly backends: readonly Backend[];
  /** Processes at the beginning; one of each when left out. */
  readonly apis?: number;
  readonly workers?: number;
  /** Not started before the fault does so. */
  readonly withoutRedis?: true;
  /** Proxies that stand in between. */
  readonly through?: readonly ('database' | 'mail' | 'queue')[];
  /** A PostgreSQL of its own, with these settings. */
  readonly cluster?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** What the mail server does from the start. */
  readonly mailServer?: SmtpScript;
  /** Answers of 503 must come within so many seconds. */
  readonly slowestRefusal?: number;
  /** For all of it but the start; 120 when left out. */
  readonly limitSeconds?: number;
  /** Part of `make test` as well, with these backends. */
  readonly inTests?: readonly Backend[];
  /** Lets visitors come, disturbs, repairs, and waits until the visitors are gone. @throws what is wrong besides */
  run(scene: Scene): Promise<void>;
}
