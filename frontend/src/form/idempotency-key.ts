import { randomId } from './random-id.ts';

/** The `Idempotency-Key`s of a form's attempts (docs/PRODUCT.md, "Idempotency"). */
export interface SubmissionKey {
  /**
   * Returns the key of an attempt. The same content gets the same key, so that a retry after a lost response does not
   * store a second lead. Other content gets another key, because the API rejects a used key with another body.
   * @param content - the content of the request
   */
  forContent(content: string): string;
  /** Returns the prefix of the keys, which lasts until the form is stored; a draft keeps it. */
  current(): string;
  /** Restores the prefix from a draft. */
  resume(beginning: string): void;
  /** Ends the submission after a success or a 422: the next attempt gets a new prefix. */
  settled(): void;
}

/** @returns keys for a form that has not been sent yet */
export function submissionKey(): SubmissionKey {
  let beginning = randomId();
  return {
    forContent: (content) => `${beginning}-${hashOf(content)}`,
    current: () => beginning,
    resume(earlier) {
      beginning = earlier;
    },
    settled() {
      beginning = randomId();
    },
  };
}

/**
 * Returns a 53-bit hash that distinguishes a few texts of one visitor (cyrb53). Pages without HTTPS lack
 * `crypto.subtle`.
 */
function hashOf(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
