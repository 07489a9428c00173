import { randomId } from './random-id.ts';

/** The `Idempotency-Key`s of a form's tries (docs/PRODUCT.md, "Idempotency"). */
export interface SubmissionKey {
  /**
   * The key for a try: the same for the same content, so that a try after a lost answer makes no second lead, and
   * another for any other, since the API refuses a used key with another body.
   * @param content - what is sent
   */
  forContent(content: string): string;
  /** What the keys begin with, until the form was stored; a draft keeps it. */
  current(): string;
  /** Goes on with what a draft kept. */
  resume(beginning: string): void;
  /** The form was stored, or refused with 422: its next sending is a new one. */
  settled(): void;
}

/** @returns the keys of a form that nothing is sent of yet */
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
 * 53 bits that tell a few texts of one visitor apart (cyrb53). Not `crypto.subtle`, which pages without https lack.
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
