import { createWriteStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brand } from '@dune-tide/domain/brand';
import { isMissingFile } from '@dune-tide/platform/system-error';
import pLimit from 'p-limit';
import { envelopeLine, readMail, timeOf } from './mail.ts';
import type { Envelope, Mail, MailSummary } from './mail.ts';

/** The time of arrival in UTC, to the millisecond. */
const idPattern = /^\d{8}T\d{9}/;

/** Stores each email in a file `<id>.eml`: first a line with its envelope, then the email as received. */
export class MailStore {
  readonly #directory: string;
  /** Oldest first. */
  #ids: string[];
  readonly #leftovers: readonly string[];
  readonly #summaries = new Map<string, Promise<MailSummary | undefined>>();
  readonly #additions = new Set<Promise<unknown>>();
  /** Limits concurrent parsing, because a hundred large emails would need gigabytes of memory. */
  readonly #parsing = pLimit(2);
  #newest = 0;

  private constructor(directory: string, names: readonly string[]) {
    this.#directory = directory;
    this.#ids = names
      .filter((name) => idPattern.test(name) && name.endsWith('.eml'))
      .map((name) => name.slice(0, -'.eml'.length))
      .sort();
    this.#leftovers = names.filter((name) => name.endsWith('.part'));
  }

  /**
   * Opens a directory and creates it if it is missing.
   * @throws when the directory cannot be created or read
   */
  static async open(directory: string): Promise<MailStore> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new MailStore(directory, await readdir(directory));
  }

  /**
   * Deletes incomplete emails that a crash left before this store was opened. Only the process that holds the ports may
   * call it, because another process may still be writing these files.
   */
  async clearLeftovers(): Promise<void> {
    await Promise.all(this.#leftovers.map((name) => rm(join(this.#directory, name), { force: true })));
  }

  get total(): number {
    return this.#ids.length;
  }

  /** @returns the newest emails, newest first, at most `limit` of them */
  async list(limit = Infinity): Promise<MailSummary[]> {
    const ids = this.#ids.slice(-Math.min(limit, this.total)).reverse();
    const mails = await Promise.all(ids.map((id) => this.#summary(id)));
    return mails.filter((mail) => mail !== undefined);
  }

  /** @returns the email as received and parsed, or undefined if there is none with this id */
  async read(id: string): Promise<Mail | undefined> {
    if (!this.#ids.includes(id)) return undefined;
    try {
      return await readMail(id, await readFile(this.#path(id)));
    } catch (error) {
      if (isMissingFile(error)) return undefined;
      throw error;
    }
  }

  /**
   * Stores an email.
   * @param source - the email's bytes; if it fails, nothing is stored
   * @returns the email's id, after the file has been synced to the disk
   * @throws the error of the source or the disk
   */
  add(source: AsyncIterable<Uint8Array>, envelope: Envelope): Promise<string> {
    const addition = this.#add(source, envelope);
    this.#additions.add(addition);
    const done = () => this.#additions.delete(addition);
    addition.then(done, done);
    return addition;
  }

  /** Deletes every email of the list. An email that arrives in the meantime stays. */
  async deleteAll(): Promise<void> {
    const deleted = this.#ids;
    this.#ids = [];
    this.#summaries.clear();
    for (const id of deleted) await rm(this.#path(id), { force: true });
  }

  /**
   * Deletes the studio's emails that are about erased leads.
   * @param keptOf - returns the Message-IDs of the emails that stay
   */
  async deleteErased(keptOf: (mails: readonly MailSummary[]) => Promise<ReadonlySet<string>>): Promise<void> {
    const ours = (await this.list()).filter(({ messageId }) => messageId?.endsWith(`@${brand.mailDomain}>`));
    const kept = await keptOf(ours);
    for (const { id, messageId } of ours) {
      if (kept.has(messageId ?? '')) continue;
      this.#ids = this.#ids.filter((each) => each !== id);
      this.#summaries.delete(id);
      await rm(this.#path(id), { force: true });
    }
  }

  /** Resolves when no email is being written any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#additions);
  }

  async #add(source: AsyncIterable<Uint8Array>, envelope: Envelope): Promise<string> {
    // Ids increase even if the clock is set back or two emails arrive within a millisecond.
    this.#newest = Math.max(Date.now(), this.#newest + 1, timeOf(this.#ids.at(-1)) + 1);
    const id = new Date(this.#newest).toISOString().replace(/[-:.Z]/g, '');
    const temporary = join(this.#directory, `${id}.part`);
    const whole = async function* () {
      yield envelopeLine(envelope);
      yield* source;
    };
    try {
      await pipeline(whole, createWriteStream(temporary, { flags: 'wx', flush: true }));
      await rename(temporary, this.#path(id));
      const directory = await open(this.#directory, 'r');
      try {
        await directory.sync();
      } finally {
        await directory.close();
      }
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    this.#ids = [...this.#ids, id].sort();
    return id;
  }

  #summary(id: string): Promise<MailSummary | undefined> {
    const known = this.#summaries.get(id);
    if (known !== undefined) return known;
    const summary = this.#parsing(async () => (await this.read(id))?.summary);
    this.#summaries.set(id, summary);
    summary.catch(() => this.#summaries.delete(id));
    return summary;
  }

  #path(id: string): string {
    return join(this.#directory, `${id}.eml`);
  }
}
