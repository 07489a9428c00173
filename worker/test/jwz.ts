/*
 * The threading algorithm of most mail programs (https://www.jwz.org/doc/threading.html), without its step 5, which
 * groups by subject: emails must be threaded by their references alone.
 */

export interface ThreadedMail {
  readonly id: string;
  readonly inReplyTo?: string | undefined;
  /** The value of the header References. */
  readonly references?: string | undefined;
}

export interface Thread {
  readonly id: string;
  readonly children: readonly Thread[];
}

interface Container {
  readonly id: string;
  isMail: boolean;
  parent?: Container | undefined;
  children: Container[];
}

/** Returns the threads of emails, in the order of their first emails. Containers without an email are left out. */
export function threads(mails: readonly ThreadedMail[]): readonly Thread[] {
  const table = new Map<string, Container>();
  const containerOf = (id: string): Container => {
    const container = table.get(id) ?? { id, isMail: false, children: [] };
    table.set(id, container);
    return container;
  };
  for (const { id, inReplyTo, references } of mails) {
    const container = containerOf(id);
    container.isMail = true;
    const ids = messageIdsIn(references ?? '');
    const listed = (ids.length > 0 ? ids : messageIdsIn(inReplyTo ?? '').slice(0, 1)).map(containerOf);
    for (const [index, child] of listed.entries()) {
      const parent = listed[index - 1];
      if (parent && child.parent === undefined && !isBelow(parent, child)) link(parent, child);
    }
    const parent = listed.at(-1);
    if (container.parent) unlink(container);
    if (parent && !isBelow(parent, container)) link(parent, container);
  }
  const roots = [...table.values()].filter((container) => container.parent === undefined);
  return roots.flatMap((root) => {
    const found = threadsFrom(root);
    // Several children of a missing first email stay together.
    return found.length > 1 ? [{ id: root.id, children: found }] : found;
  });
}

const messageIdsIn = (header: string): string[] => header.match(/<[^<>\s]+>/g) ?? [];

/** Returns whether a container is another one or below it. */
const isBelow = (container: Container | undefined, ancestor: Container): boolean =>
  container !== undefined && (container === ancestor || isBelow(container.parent, ancestor));

function link(parent: Container, child: Container): void {
  child.parent = parent;
  parent.children.push(child);
}

function unlink(child: Container): void {
  if (child.parent) child.parent.children = child.parent.children.filter((each) => each !== child);
  child.parent = undefined;
}

function threadsFrom({ id, isMail, children }: Container): Thread[] {
  const below = children.flatMap(threadsFrom);
  return isMail ? [{ id, children: below }] : below;
}
