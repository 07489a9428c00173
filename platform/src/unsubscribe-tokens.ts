import { idTokens, type IdTokens } from './id-tokens.ts';

/** The path of the page that stops automatic emails; the token follows. */
export const unsubscribePath = '/unsubscribe';

/** Signs the ids of follow-ups for the links that stop automatic emails (docs/PRODUCT.md, "Opt-out"). */
export type UnsubscribeTokens = IdTokens;

/** Creates and reads these tokens. @param keys - as for `idTokens` */
export const unsubscribeTokens = (keys: readonly string[]): UnsubscribeTokens => idTokens(keys, 'unsubscribe-token');
