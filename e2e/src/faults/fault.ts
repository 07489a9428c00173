import type { RunningProcess } from '@dune-tide/testkit/processes';
import type { TestCluster } from '@dune-tide/testkit/cluster';
import type { Ledger } from './ledger.ts';
import type { Load, LoadOptions } from './load.ts';
import type { TestProxy } from '@dune-tide/testkit/proxy';
import type { TestReceiver } from '@dune-tide/testkit/webhook-receiver';
import type { TestRedis } from '@dune-tide/testkit/redis';
import type { RunningSystem } from './running-system.ts';
import type { SmtpScript } from '@dune-tide/testkit/smtp';

/** Where the queue is stored. */
export type Backend = 'PostgreSQL' | 'Redis';
export const bothBackends: readonly Backend[] = ['PostgreSQL', 'Redis'];
export const redisOnly: readonly Backend[] = ['Redis'];

type Api = RunningProcess & { readonly url: string };

/** The system that a fault disturbs. Every process is healthy before the fault and must be again after it. */
export interface Scene {
  readonly backend: Backend;
  readonly system: RunningSystem;
  readonly ledger: Ledger;
  readonly apis: Api[];
  readonly workers: RunningProcess[];
  /** Message-IDs of emails that may be delivered twice. */
  readonly cut: Set<string>;
  /** Recipients that the mail server rejects permanently. */
  readonly refused: Set<string>;
  /** Starts visitors that post to all APIs. */
  load(options: Omit<LoadOptions, 'urls'> & { readonly urls?: readonly string[] }): Load;
  /** SIGKILLs a process. */
  kill(running: RunningProcess): Promise<void>;
  /**
   * SIGKILLs a worker and ends its leases. Emails in progress may be delivered twice.
   * @param moment - `before the body` if no body was sent, so that no email may be delivered twice
   */
  killWorker(worker: RunningProcess, moment?: 'before the body'): Promise<void>;
  /** Waits until the mail server has accepted this many emails. */
  mailed(count: number): Promise<void>;
  /** Available only if the fault declares Redis. */
  readonly redis: SceneRedis;
  readonly cluster: TestCluster;
  readonly databaseProxy: TestProxy;
  readonly mailProxy: TestProxy;
  readonly queueProxy: TestProxy;
  readonly receiver: TestReceiver;
}

export interface SceneRedis {
  current(): TestRedis;
  /** Starts an empty Redis at the address that the processes use. */
  start(): Promise<void>;
  kill(): Promise<void>;
  command(name: string, ...parameters: string[]): Promise<unknown>;
}

/** A fault that the system must survive (docs/PRODUCT.md, "Faults to survive"). */
export interface Fault {
  readonly name: string;
  /** Queue backends with which the fault runs. */
  readonly backends: readonly Backend[];
  /** Number of processes at the start. Default: one API and one worker. */
  readonly apis?: number;
  readonly workers?: number;
  /** The fault starts Redis itself. */
  readonly withoutRedis?: true;
  /** Connections that pass through a proxy. */
  readonly through?: readonly ('database' | 'mail' | 'queue')[];
  /** Starts a separate PostgreSQL with these settings. */
  readonly cluster?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  /** Starts a receiver, to which the processes send webhooks. */
  readonly webhooks?: true;
  /** Behaviour of the mail server from the start. */
  readonly mailServer?: SmtpScript;
  /** Every 503 must be returned within this many seconds. */
  readonly slowestRefusal?: number;
  /** Time limit in seconds of each step: the run of the fault, the visitors, the draining. Default: 120. */
  readonly limitSeconds?: number;
  /** The backend with which the fault also runs in `make test`, which has one fault of each kind. */
  readonly inTests?: Backend;
  /**
   * Starts visitors, injects the fault, removes it, and waits for the visitors to finish.
   * @throws if an expectation of this fault fails
   */
  run(scene: Scene): Promise<void>;
}
