/** The value of a field: a text, or whether a box is checked. */
export type DraftValue = string | boolean;

export const isDraftValue = (value: unknown): value is DraftValue =>
  typeof value === 'string' || typeof value === 'boolean';

/** The stored state of a form that has not been sent. */
export interface Draft {
  readonly values: Readonly<Record<string, DraftValue>>;
  /** The stored version that an edit started from. Other users may have changed it since. */
  readonly begunFrom?: BegunFrom;
  /** The prefix of the attempts' keys: an attempt may have been stored even though its response was lost. */
  readonly idempotencyKey?: string;
}

/** One version of a stored entry, as its form showed it. */
export interface BegunFrom {
  readonly version: number;
  readonly values: Readonly<Record<string, DraftValue>>;
}

/** Access to the draft of one form, which is kept in this tab until the form is sent. */
export interface DraftKeeper {
  /** @returns undefined without a readable draft */
  read(): Draft | undefined;
  write(draft: Draft): void;
  clear(): void;
  /** Notifies the form that currently uses this draft that its content was stored. */
  stored(content: string): void;
  /** @returns a function that removes the listener */
  onStored(listener: (content: string) => void): () => void;
}

const storedListeners = new Map<string, Set<(content: string) => void>>();

const prefix = 'draft:';
const keyOf = (path: string, form: string): string => `${prefix}${path}:${form}`;

/** Returns the tab's storage; undefined if the visitor's settings block it. */
export function tabStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

/**
 * Returns access to the draft of one form.
 * @param path - the page that contains the form
 * @param form - the form's id, or another name that is unique on the page
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
        // The storage is full. An outdated draft would be worse than none.
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

/** Returns whether a form of a page has a draft, so that it must be shown without delay. */
export function hasDraft(path: string, storage: Storage | undefined = tabStorage()): boolean {
  return restsOf(keyOf(path, ''), storage).length > 0;
}

/**
 * Returns the ids of stored entries that have a draft. Such a draft is named by the form and the id, e.g. `recipe:1`.
 * @param path - the page that contains the form
 * @param form - the form's id
 */
export function draftIds(path: string, form: string, storage: Storage | undefined = tabStorage()): readonly string[] {
  return restsOf(keyOf(path, `${form}:`), storage);
}

/**
 * Deletes the drafts of all pages whose paths start with a prefix.
 * @param beginning - the prefix
 */
export function forgetDrafts(beginning: string, storage: Storage | undefined = tabStorage()): void {
  const start = prefix + beginning;
  for (const rest of restsOf(start, storage)) storage?.removeItem(start + rest);
}

/** Returns the remainders of the keys that start with a prefix. */
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
