import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditHead } from '@dune-tide/db/audit-log';
import { linesOf } from '@dune-tide/domain/lines';
import { auditHeadMessage } from '@dune-tide/platform/log';
import { isMissingFile } from '@dune-tide/platform/system-error';

/** An entry that was the last one of the audit log when the worker logged it. */
export interface LoggedHead {
  readonly head: AuditHead;
  readonly at: Date;
}

/** Returns the newest head in the logs of a folder; undefined if there is none, or no folder. */
export async function newestLoggedHead(folder: string): Promise<LoggedHead | undefined> {
  let newest: LoggedHead | undefined;
  for (const name of await filesOf(folder)) {
    for (const line of linesOf(await readFile(join(folder, name), 'utf8'))) {
      const logged = line.includes(auditHeadMessage) ? readLine(line) : undefined;
      if (logged && logged.at >= (newest?.at ?? logged.at)) newest = logged;
    }
  }
  return newest;
}

/** Returns the names of the logs, and of the older ones that were renamed because of their size. */
async function filesOf(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^stack\.log(\.\d+)?$/.test(name));
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** Returns undefined for a line that was cut off, or is another one. */
function readLine(line: string): LoggedHead | undefined {
  try {
    const { msg, position, hash, time } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const at = new Date(String(time));
    const isHead = msg === auditHeadMessage && typeof position === 'number' && typeof hash === 'string';
    return isHead && Number.isFinite(at.getTime()) ? { head: { position, hash }, at } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
