import { randomId } from './random-id.ts';

/** The `Idempotency-Key` of a form as it is filled in now (decisions, "Answers of the API"). */
export interface SubmissionKey {
  /** The key for this try. */
  current(): string;
  /** Goes on with the key of a draft, which an earlier try may have used. */
  resume(key: string): void;
  /** The values were stored: the form's next sending is a new one. */
  accepted(): void;
  /** A 422: nothing of this body was stored, so the mended form goes under a new key (same key, other body is refused). */
  refused(): void;
}

/**
 * A try without an answer keeps its key: the server may have stored the form, and the next try must not do so again.
 */
export function submissionKey(): SubmissionKey {
  let key = randomId();
  const renew = () => {
    key = randomId();
  };
  return {
    current: () => key,
    resume(earlier) {
      key = earlier;
    },
    accepted: renew,
    refused: renew,
  };
}
