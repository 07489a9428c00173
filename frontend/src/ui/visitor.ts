/** Resolved by default: the build renders forms without a visitor, and the staff area loads them without waiting. */
let arrived: Promise<void> = Promise.resolve();
let arrive = (): void => undefined;

/**
 * Makes the code of forms and toasts wait for the first sign of a visitor, so that pages that are only read do not load
 * it.
 */
export function expectVisitor(): void {
  arrived = new Promise((resolve) => (arrive = resolve));
}

export const noteVisitor = (): void => arrive();

/** Resolves at the first sign of a visitor. */
export const visitor = (): Promise<void> => arrived;
