import { appendFile, rename, stat } from 'node:fs/promises';
import { codeOf, isMissingFile } from '@dune-tide/platform/system-error';

/** A log of bounded size. A write error never stops the processes that write to it. */
export interface LogFile {
  /** Adds text. It is written soon, or lost if the file cannot be written or too much text is waiting. */
  write(text: string | Uint8Array): void;
  /** Writes what is waiting. */
  close(): Promise<void>;
}

export interface LogFileOptions {
  /** The size in bytes at which the file is renamed to `PATH.1` and a new one is started. */
  readonly fileBytes?: number;
  /** The number of files that are kept, including the current one. */
  readonly files?: number;
  /** Called once for each period in which the file cannot be written. */
  readonly onError?: (code: string) => void;
}

/** If more text is waiting than this, the disk cannot keep up, and more memory would not help. */
const waitingBytesAtMost = 1_000_000;

/** Opens a log; its file is created at the first write. The defaults keep at most 50 MB. */
export function openLogFile(
  path: string,
  { fileBytes = 10_000_000, files = 5, onError = () => undefined }: LogFileOptions = {},
): LogFile {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let lostBytes = 0;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = Buffer.concat(waiting);
      waiting = [];
      waitingBytes = 0;
      try {
        const size = await sizeOf(path);
        if (size > 0 && size + batch.length > fileBytes) await rotate(path, files);
        // The line break ends a line that was only partly written.
        if (lostBytes > 0) await appendFile(path, `\n${notice(lostBytes)}\n`, { mode: 0o600 });
        await appendFile(path, batch, { mode: 0o600 });
        lostBytes = 0;
        isFailing = false;
      } catch (error) {
        lostBytes += batch.length;
        if (!isFailing) onError(codeOf(error) ?? 'unknown error');
        isFailing = true;
      }
    }
    writing = undefined;
  }

  return {
    write(text) {
      const bytes = Buffer.from(text);
      if (waitingBytes + bytes.length > waitingBytesAtMost) {
        lostBytes += bytes.length;
        return;
      }
      waiting.push(bytes);
      waitingBytes += bytes.length;
      writing ??= Promise.resolve().then(writeWaiting);
    },
    async close() {
      await writing;
    },
  };
}

function notice(bytes: number): string {
  return JSON.stringify({
    level: 'warn',
    process: 'local',
    time: new Date().toISOString(),
    bytes,
    msg: 'log lines lost',
  });
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    return 0;
  }
}

/** Renames `PATH` to `PATH.1`, `PATH.1` to `PATH.2` and so on. The oldest file is replaced. */
export async function rotate(path: string, files: number): Promise<void> {
  const nameOf = (age: number): string => (age === 0 ? path : `${path}.${age}`);
  for (let age = files - 2; age >= 0; age--) {
    await rename(nameOf(age), nameOf(age + 1)).catch((error: unknown) => {
      if (!isMissingFile(error)) throw error;
    });
  }
}
