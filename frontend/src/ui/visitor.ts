/** Resolved by default, because the build renders forms without a visitor and the staff area loads them immediately. */
let arrived: Promise<void> = Promise.resolve();
let arrive = (): void => undefined;

/**
 * Makes the code of forms and toasts wait for the visitor's first interaction (pointer, touch, scroll, key, focus), so
 * that pages that are only read do not load it.
 */
export function expectVisitor(): void {
  arrived = new Promise((resolve) => (arrive = resolve));
}

export const noteVisitor = (): void => arrive();

/** Resolves at the visitor's first interaction. */
export const visitor = (): Promise<void> => arrived;
