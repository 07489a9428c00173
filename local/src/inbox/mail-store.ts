import { randomBytes, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describeError, type Logger } from '@dune-tide/platform/log';
import { isMissingFile } from '@dune-tide/platform/system-error';
import pLimit from 'p-limit';
import { parseMail, summarizeMail, summarizeUnreadableMail, unreadableContent } from './mail.ts';
import type { Envelope, MailContent, MailSummary } from './mail.ts';

/** The date in UTC to the millisecond, a number within it, and something random: sorts by arrival. */
const idPattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})-(\d{4})-[0-9a-f]{8}$/;
const largestSequence = 9999;
/** Raised whenever the kept line of a mail changes its shape; older ones are then made anew. */
const indexVersion = 1;
const filesAtOnce = 16;

/** A part of the list, newest first. */
export interface MailPage {
  readonly mails: readonly MailSummary[];
  readonly offset: number;
  readonly total: number;
}

/**
 * Mails in a directory: `<id>.eml` as received, and beside it `<id>.json` with the envelope and the line for the list.
 * A mail exists from the moment its `.eml` has its name; everything else can be made again.
 */
export class MailStore {
  readonly #directory: string;
  readonly #logger: Logger;
  readonly #opened = randomUUID();
  /** Oldest first. */
  #mails: MailSummary[] = [];
  #changes = 0;
  #lastId = { time: 0, sequence: 0 };
  #leftovers: readonly string[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  readonly #additions = new Set<Promise<unknown>>();

  private constructor(directory: string, logger: Logger) {
    this.#directory = directory;
    this.#logger = logger;
  }

  /**
   * Opens a directory, makes it if it is missing, and reads what it holds.
   *
   * @throws when the directory cannot be made or read
   */
  static async open(directory: string, logger: Logger): Promise<MailStore> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const store = new MailStore(directory, logger);
    await store.#load();
    return store;
  }

  /**
   * Deletes what a sudden end left half written before this store was opened.
   * Only to be called by the one that has the ports: to anyone else these may be mails on their way.
   */
  async clearLeftovers(): Promise<void> {
    await pLimit(filesAtOnce).map(this.#leftovers, (name) => rm(join(this.#directory, name), { force: true }));
    this.#leftovers = [];
  }

  /** Differs whenever the list does, also from one start to the next. */
  get revision(): string {
    return `${this.#opened}-${this.#changes}`;
  }

  get total(): number {
    return this.#mails.length;
  }

  /** @returns the mails from `offset` on, newest first, at most `limit` of them */
  list(offset: number, limit: number): MailPage {
    const end = Math.max(0, this.#mails.length - offset);
    const mails = this.#mails.slice(Math.max(0, end - limit), end).reverse();
    return { mails, offset, total: this.#mails.length };
  }

  /** @returns a mail's line in the list, or undefined where there is none with this id */
  find(id: string): MailSummary | undefined {
    const index = this.#indexOf(id);
    return this.#mails[index]?.id === id ? this.#mails[index] : undefined;
  }

  /** @returns how many mails are newer than this one */
  position(mail: MailSummary): number {
    return this.#mails.length - 1 - this.#indexOf(mail.id);
  }

  /**
   * Keeps a mail for good.
   *
   * @param source the mail's bytes; when it fails, nothing is kept
   * @param envelope the addresses of the SMTP dialogue
   * @returns once the mail would survive a power cut
   * @throws what the source or the disk threw
   */
  add(source: AsyncIterable<Uint8Array>, envelope: Envelope): Promise<MailSummary> {
    const addition = this.#add(source, envelope);
    this.#additions.add(addition);
    const done = () => this.#additions.delete(addition);
    addition.then(done, done);
    return addition;
  }

  /** @returns the mail as it was received, or undefined where there is none with this id */
  async read(id: string): Promise<Buffer | undefined> {
    if (this.find(id) === undefined) return undefined;
    try {
      return await readFile(this.#path(id, 'eml'));
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  /** @returns the mail taken apart, or undefined where there is none with this id */
  async content(id: string): Promise<MailContent | undefined> {
    const raw = await this.read(id);
    if (raw === undefined) return undefined;
    try {
      return await parseMail(raw);
    } catch (error) {
      this.#logger.warn({ id, error: describeError(error) }, 'mail cannot be parsed');
      return unreadableContent(raw);
    }
  }

  /** Deletes every mail of the list; one that arrives meanwhile stays. */
  async deleteAll(): Promise<void> {
    const deleted = this.#mails;
    this.#mails = [];
    this.#changes += 1;
    await pLimit(filesAtOnce).map(deleted, async ({ id }) => {
      await rm(this.#path(id, 'eml'), { force: true });
      await rm(this.#path(id, 'json'), { force: true });
    });
  }

  /** Resolves when no mail is being written any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#additions);
  }

  async #add(source: AsyncIterable<Uint8Array>, envelope: Envelope): Promise<MailSummary> {
    const temporary = join(this.#directory, `${randomUUID()}.part`);
    try {
      await pipeline(source, createWriteStream(temporary, { flags: 'wx', flush: true }));
      const receivedAt = new Date();
      const id = this.#nextId(receivedAt.getTime());
      const summary = await this.#summarize(id, temporary, { receivedAt: receivedAt.toISOString(), envelope });
      await this.#writeIndexEntry(summary);
      await rename(temporary, this.#path(id, 'eml'));
      await this.#syncDirectory();
      this.#insert(summary);
      return summary;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** One mail at a time: a hundred large ones parsed together would need gigabytes. */
  #summarize(
    id: string,
    path: string,
    received: { readonly receivedAt: string; readonly envelope: Envelope },
  ): Promise<MailSummary> {
    const result = this.#turn.then(async () => {
      const raw = await readFile(path);
      try {
        return await summarizeMail(id, raw, received);
      } catch (error) {
        this.#logger.warn({ id, error: describeError(error) }, 'mail cannot be parsed');
        return summarizeUnreadableMail(id, raw.byteLength, received);
      }
    });
    this.#turn = Promise.allSettled([result]);
    return result;
  }

  async #load(): Promise<void> {
    const names = await readdir(this.#directory);
    const ids = new Set(names.filter((name) => name.endsWith('.eml')).map((name) => name.slice(0, -'.eml'.length)));
    this.#leftovers = names.filter((name) => name.endsWith('.part') || isEntryWithoutMail(name, ids));
    const mails: MailSummary[] = [];
    const kept = [...ids].filter((id) => idPattern.test(id));
    await pLimit(filesAtOnce).map(kept, async (id) => {
      mails.push((await this.#readIndexEntry(id)) ?? (await this.#indexAgain(id)));
    });
    this.#mails = mails.sort((one, other) => (one.id < other.id ? -1 : 1));
    const newest = this.#mails.at(-1);
    if (newest !== undefined) this.#lastId = partsOf(newest.id);
  }

  async #readIndexEntry(id: string): Promise<MailSummary | undefined> {
    try {
      const entry: { version: number; mail: MailSummary } = JSON.parse(await readFile(this.#path(id, 'json'), 'utf8'));
      return entry.version === indexVersion ? entry.mail : undefined;
    } catch (error) {
      this.#logger.warn({ id, error: describeError(error) }, 'mail is indexed again');
      return undefined;
    }
  }

  async #indexAgain(id: string): Promise<MailSummary> {
    const receivedAt = new Date(partsOf(id).time).toISOString();
    const summary = await this.#summarize(id, this.#path(id, 'eml'), { receivedAt, envelope: { from: '', to: [] } });
    await this.#writeIndexEntry(summary);
    return summary;
  }

  async #writeIndexEntry(mail: MailSummary): Promise<void> {
    const temporary = join(this.#directory, `${randomUUID()}.part`);
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(JSON.stringify({ version: indexVersion, mail }));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.#path(mail.id, 'json'));
  }

  async #syncDirectory(): Promise<void> {
    const directory = await open(this.#directory, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  /** Never smaller than the one before, even when the clock is set back. */
  #nextId(now: number): string {
    const last = this.#lastId;
    if (now > last.time) this.#lastId = { time: now, sequence: 0 };
    else if (last.sequence < largestSequence) this.#lastId = { time: last.time, sequence: last.sequence + 1 };
    else this.#lastId = { time: last.time + 1, sequence: 0 };
    const stamp = new Date(this.#lastId.time).toISOString().replace(/[-:.Z]/g, '');
    return `${stamp}-${String(this.#lastId.sequence).padStart(4, '0')}-${randomBytes(4).toString('hex')}`;
  }

  /** Deliveries that overtake one another still end up in the order of their ids. */
  #insert(mail: MailSummary): void {
    this.#mails.splice(this.#indexOf(mail.id), 0, mail);
    this.#changes += 1;
  }

  /** @returns where a mail with this id is, or belongs, among the mails */
  #indexOf(id: string): number {
    let low = 0;
    let high = this.#mails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#mails[middle]?.id ?? '') < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #path(id: string, extension: 'eml' | 'json'): string {
    return join(this.#directory, `${id}.${extension}`);
  }
}

function partsOf(id: string): { time: number; sequence: number } {
  const [, year, month, day, hour, minute, second, millisecond, sequence] = idPattern.exec(id) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return { time: Number.isNaN(time) ? 0 : time, sequence: Number(sequence) };
}

function isEntryWithoutMail(name: string, ids: ReadonlySet<string>): boolean {
  const id = name.slice(0, -'.json'.length);
  return name.endsWith('.json') && idPattern.test(id) && !ids.has(id);
}
