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

/** A request body in bytes (reliability, "Settings"); compressed ones are refused. */
export const maxBodyBytes = 64 * 1024;

/**
 * A form that is sent sooner than this after it was first touched is marked as spam, in milliseconds. A person needs about
 * two seconds for the shortest form (keystroke-level model of Card, Moran and Newell). The limit is far lower, because a
 * person marked in error gets no mail, and because some people use tools that fill in and send quickly.
 */
export const minFormAge = 300;

/** How long a form waits for its token, in milliseconds; a later one would make the form look younger than it is. */
export const formTokenPatience = 1_000;

/** A token with an unknown signature is forged only while it is younger, in milliseconds: its key may be gone since. */
export const formTokenKeyLife = 8 * 60 * 60 * 1_000;

/** Portfolio mails that one address receives in an hour at most (decisions, "Follow-ups"). */
export const portfolioMailsPerHour = 3;

/** An `Idempotency-Key` header: visible ASCII without spaces. */
export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

/** Submissions of one form from one address, refused ones included (reliability, "Settings"). */
export const submissionLimit = { submissions: 10, windowSeconds: 10 * 60 } as const;

/**
 * Failed sign-ins (reliability, "Sessions and abuse"): of one account from one address, and of one address over all
 * accounts. An office has many people, a guesser many names.
 */
export const signInLimit = { failuresPerAccount: 5, failuresPerAddress: 50, windowSeconds: 15 * 60 } as const;

/** A session ends this long after its last use, and this long after the sign-in (reliability, "Sessions and abuse"). */
export const sessionLimit = { idleMinutes: 30, hours: 8 } as const;

/** The most entries of one page of a list, which is also the number without `limit`. */
export const maxPageSize = 100;

/** The most entries of the recent activity. */
export const maxRecentActivities = 20;

/** Follow-ups that the operators' command lists. */
export const listedFollowUps = { byDefault: 50, atMost: 1_000 } as const;
