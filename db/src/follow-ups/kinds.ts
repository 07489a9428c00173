import { followUpKinds, followUpRules } from '@dune-tide/domain/follow-ups';

const otherKinds = followUpKinds.filter((kind) => followUpRules[kind].transport !== 'email');

/**
 * Returns the condition that a follow-up is an email. PostgreSQL uses the indexes of the other kinds only if each is
 * compared like this.
 * @param kind - the column
 */
export const isEmail = (kind = 'kind'): string => otherKinds.map((other) => `${kind} <> '${other}'`).join(' and ');
