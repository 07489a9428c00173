import { requestTimeout } from './request-timeout.ts';
import { askForPassword } from './password-needed.ts';
import { isRequestFailure, refusal, type RequestFailure } from './request.ts';
import { announceUnauthorized } from './unauthorized.ts';

/** A file that the server sends piece by piece. */
export interface Download {
  readonly content: Blob;
  /** The name that the server gives the file; undefined without one. */
  readonly name: string | undefined;
}

/** Pieces are joined at this size, in bytes, because a browser can move a large Blob out of the memory. */
const joinedBytes = 8 * 1024 * 1024;

/**
 * Downloads a file of any size. The time limit applies to each piece. A download that needs the password starts again
 * once the user has entered it.
 * @param onPiece - called with each piece as it arrives
 * @param signal - cancels the download
 * @returns undefined if it was cancelled
 * @throws {RequestFailure} if it fails, also when the connection breaks in the middle of the file
 */
export async function download(
  url: string,
  onPiece: (piece: Uint8Array) => void,
  signal: AbortSignal,
): Promise<Download | undefined> {
  try {
    return await attempt(url, onPiece, signal);
  } catch (error) {
    const isRepeated = isRequestFailure(error) && error.type === 'password_needed' && (await askForPassword());
    if (!isRepeated) throw error;
    return attempt(url, onPiece, signal);
  }
}

async function attempt(
  url: string,
  onPiece: (piece: Uint8Array) => void,
  signal: AbortSignal,
): Promise<Download | undefined> {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener('abort', end);
  let timer = setTimeout(end, requestTimeout);
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(end, requestTimeout);
  };
  try {
    const response = await fetch(url, { credentials: 'include', signal: ending.signal });
    if (response.status === 401) announceUnauthorized();
    if (!response.ok || !response.body) throw refusal(response, await response.text());
    const reader = response.body.getReader();
    const joined: Blob[] = [];
    let pieces: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      restartTimer();
      onPiece(value);
      pieces.push(value);
      bytes += value.length;
      if (bytes < joinedBytes) continue;
      joined.push(new Blob(pieces));
      pieces = [];
      bytes = 0;
    }
    const type = response.headers.get('Content-Type') ?? '';
    return { content: new Blob([...joined, ...pieces], { type }), name: nameIn(response.headers) };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof Error)) throw error;
    const code = ending.signal.aborted ? 'timeout' : 'unreachable';
    throw { code, message: error.message, fieldErrors: [] } satisfies RequestFailure;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

const nameIn = (headers: Headers): string | undefined =>
  /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1];

/** Stores a file on the user's device, as a link with a file does. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
