/*
 * Everything that the tests use of React without React documenting it. `test/site/cross-cutting/react-internals.test.ts` fails when
 * React changes any of it.
 */

/** How the names of the members begin that React adds to the elements that it has taken over. */
export const takenOverPrefix = '__reactProps';
