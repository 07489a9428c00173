/** Maximum lengths of texts, in Unicode code points. */
export const maxLength = {
  name: 100,
  email: 254,
  phone: 40,
  url: 2048,
  /** A choice or a short label. Every option of every form fits. */
  selection: 100,
  text: 5000,
  /** The composed details of a project inquiry: five answers of `text` length with their labels. */
  composedText: 26_000,
  instructions: 50_000,
  password: 200,
  /** One entry of a recipe's tags or tools. */
  listItem: 50,
} as const;

/** Maximum number of tags, and of tools, of a recipe. */
export const maxListItems = 30;

/** Minimum lengths of texts after trimming, in Unicode code points. */
export const minLength = {
  name: 2,
  company: 2,
  phone: 10,
  message: 10,
  coverLetter: 50,
  projectDetails: 10,
  shortAnswer: 10,
  longAnswer: 20,
  /** Applies to new passwords only, not to sign-ins. */
  password: 8,
} as const;

/** Maximum size of a request body, in bytes. Compressed bodies are rejected. */
export const maxBodyBytes = 64 * 1024;

/**
 * Minimum time between the first touch of a form and its submission, in milliseconds. Faster submissions are held as
 * spam. A person needs about two seconds for the shortest form (keystroke-level model of Card, Moran and Newell). The
 * limit is far lower, because a person who is held in error gets no email, and because some people use tools that fill
 * in forms quickly.
 */
export const minFormAge = 300;

/** Time limit for fetching a form token, in milliseconds. With a later token, the form would seem too young. */
export const formTokenPatience = 1_000;

/**
 * Age in milliseconds up to which a token with an invalid signature counts as forged. The key of an older token may
 * have been removed.
 */
export const formTokenKeyLife = 8 * 60 * 60 * 1_000;

/** Maximum number of portfolio emails to one address in an hour (docs/PRODUCT.md, "Portfolio cap"). */
export const portfolioMailsPerHour = 3;

/** The pattern of an `Idempotency-Key`: visible ASCII without spaces. */
export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

/** The rate limit of one form from one IP address. Rejected submissions count too (docs/PRODUCT.md, "Submissions"). */
export const submissionLimit = { submissions: 10, windowSeconds: 10 * 60 } as const;

/**
 * The rate limits of failed sign-ins (docs/PRODUCT.md, "Sign-in attempts"): for one account from one IP address, and
 * for all accounts from one IP address. The second is higher, because the members of an office share an address.
 */
export const signInLimit = { failuresPerAccount: 5, failuresPerAddress: 50, windowSeconds: 15 * 60 } as const;

/** A session expires after `idleMinutes` without use, or `hours` after the sign-in (docs/PRODUCT.md, "Sessions"). */
export const sessionLimit = { idleMinutes: 30, hours: 8 } as const;

/** Maximum number of entries on a page of a list, and the default of `limit`. */
export const maxPageSize = 100;

/** Maximum number of entries of the recent activity. */
export const maxRecentActivities = 20;

/** Number of follow-ups that the operators' command lists. */
export const listedFollowUps = { byDefault: 50, atMost: 1_000 } as const;
