/** The largest length of each sort of text, in Unicode code points (reliability, "Settings"). */
export const maxLength = {
  name: 100,
  email: 254,
  phone: 40,
  url: 2048,
  /** A single choice or label; long enough for every option list of specification §5. */
  selection: 100,
  text: 5000,
  /** Five answers of `text` length with their labels: what a project inquiry composes (specification §3). */
  composedText: 26_000,
  instructions: 50_000,
  password: 200,
  /** One entry of a recipe's tags or tools. */
  listItem: 50,
} as const;

/** The most entries that a recipe's tags or tools hold. */
export const maxListItems = 30;

/** The smallest lengths of specification §9, counted after trimming (decisions, "Text"). */
export const minLength = {
  name: 2,
  company: 2,
  phone: 10,
  message: 10,
  coverLetter: 50,
  projectDetails: 10,
  shortAnswer: 10,
  longAnswer: 20,
  /** Of a new password; any is taken at sign-in. */
  password: 8,
} as const;

/** A request body in bytes, after decompression (reliability, "Settings"). */
export const maxBodyBytes = 64 * 1024;

/** Room for a recipe of the largest lengths at four bytes a character, which is what UTF-8 needs at most. */
export const maxRecipeBodyBytes = 256 * 1024;

/** Portfolio mails that one address receives in an hour at most (decisions, "Follow-ups"). */
export const portfolioMailsPerHour = 3;

/** An `Idempotency-Key` header: visible ASCII without spaces. */
export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';
