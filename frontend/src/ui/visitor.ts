/** The build renders forms without a visitor, and the staff area loads them without waiting. */
let arrived: Promise<void> = Promise.resolve();
let arrive = (): void => undefined;

/** Has the code of forms and toasts wait for a sign of a visitor: a page that is only read does without. */
export function expectVisitor(): void {
  arrived = new Promise((resolve) => (arrive = resolve));
}

/** Ends the wait. */
export const noteVisitor = (): void => arrive();

/** Resolves at the first sign of a visitor. */
export const visitor = (): Promise<void> => arrived;
