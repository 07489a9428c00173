/*
 * Undocumented parts of React that the tests use. `test/site/cross-cutting/react-internals.test.ts` fails when React
 * changes any of them.
 */

/** Prefix of the properties that React adds to hydrated elements. */
export const takenOverPrefix = '__reactProps';
