/** What a field holds: a text, or whether its box is ticked. */
export type DraftValue = string | boolean;

export const isDraftValue = (value: unknown): value is DraftValue =>
  typeof value === 'string' || typeof value === 'boolean';

/** A form as far as it was filled in. */
export interface Draft {
  readonly values: Readonly<Record<string, DraftValue>>;
  /** What a change of something stored began from, which others may have changed since. */
  readonly begunFrom?: BegunFrom;
  /** What the keys of its tries begin with: a try may have been stored without our knowing. */
  readonly idempotencyKey?: string;
}

/** One version of something stored, as its form showed it. */
export interface BegunFrom {
  readonly version: number;
  readonly values: Readonly<Record<string, DraftValue>>;
}

/** Where one form keeps its draft until it was sent: in this tab only. */
export interface DraftKeeper {
  /** @returns undefined when there is none, or none that can be read */
  read(): Draft | undefined;
  write(draft: Draft): void;
  clear(): void;
  /** Says that what a form held was stored, to whichever form holds this draft by now. */
  stored(content: string): void;
  /** @returns what ends the listening */
  onStored(listener: (content: string) => void): () => void;
}

const storedListeners = new Map<string, Set<(content: string) => void>>();

const prefix = 'draft:';
const keyOf = (path: string, form: string): string => `${prefix}${path}:${form}`;

/** The tab's storage; undefined where the visitor's settings refuse it. */
export function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * @param path - the page that the form stands on
 * @param form - the form's id, or whatever tells its draft from others of the page
 * @param storage - the tab's own by default
 */
export function draftKeeper(path: string, form: string, storage: Storage | undefined = tabStorage()): DraftKeeper {
  const key = keyOf(path, form);
  return {
    read: () => parseDraft(storage?.getItem(key)),
    write(draft) {
      try {
        storage?.setItem(key, JSON.stringify(draft));
      } catch {
        // The storage is full: an older draft would be worse than none.
        storage?.removeItem(key);
      }
    },
    clear: () => storage?.removeItem(key),
    stored(content) {
      for (const listener of storedListeners.get(key) ?? []) listener(content);
    },
    onStored(listener) {
      const listeners = storedListeners.get(key) ?? new Set();
      storedListeners.set(key, listeners.add(listener));
      return () => void listeners.delete(listener);
    },
  };
}

/** Whether a form of a page has a draft, so that it is to be shown at once. */
export function hasDraft(path: string, storage: Storage | undefined = tabStorage()): boolean {
  return restsOf(keyOf(path, ''), storage).length > 0;
}

/**
 * What is stored already and has a draft, which is called by the form and the id: `recipe:1`.
 * @param path - the page that the form stands on
 * @param form - the form's id
 * @returns the ids
 */
export function draftIds(path: string, form: string, storage: Storage | undefined = tabStorage()): readonly string[] {
  return restsOf(keyOf(path, `${form}:`), storage);
}

/**
 * Forgets what was typed on a number of pages.
 * @param beginning - of their paths
 */
export function forgetDrafts(beginning: string, storage: Storage | undefined = tabStorage()): void {
  const start = prefix + beginning;
  for (const rest of restsOf(start, storage)) storage?.removeItem(start + rest);
}

/** How the keys go on that begin like this. */
function restsOf(beginning: string, storage: Storage | undefined): readonly string[] {
  return Object.keys(storage ?? {})
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length));
}

function parseDraft(text: string | null | undefined): Draft | undefined {
  if (!text) return undefined;
  let draft: unknown;
  try {
    draft = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isDraft(draft) ? draft : undefined;
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' &&
    value !== null &&
    (!('idempotencyKey' in value) || typeof value.idempotencyKey === 'string') &&
    (!('begunFrom' in value) || isBegunFrom(value.begunFrom)) &&
    hasValues(value)
  );
}

function isBegunFrom(value: unknown): value is BegunFrom {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    typeof value.version === 'number' &&
    hasValues(value)
  );
}

function hasValues(holder: object): holder is Pick<Draft, 'values'> {
  return (
    'values' in holder &&
    typeof holder.values === 'object' &&
    holder.values !== null &&
    Object.values(holder.values).every(isDraftValue)
  );
}
