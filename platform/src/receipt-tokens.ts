import { idTokens, type IdTokens } from './id-tokens.ts';

/** The path of the page that shows a visitor what they sent; the token follows. */
export const receiptPath = '/receipt';

/** Signs the ids of leads for the links to receipts (docs/PRODUCT.md, "Receipt page"). */
export type ReceiptTokens = IdTokens;

/** Creates and reads these tokens. @param keys - as for `idTokens` */
export const receiptTokens = (keys: readonly string[]): ReceiptTokens => idTokens(keys, 'receipt-token');
