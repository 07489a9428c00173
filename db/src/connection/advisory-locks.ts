/** The numbers of the product's advisory locks, arbitrary but different. Releases that run concurrently share them. */
export const advisoryLocks = {
  migration: 20_261_121,
  largeIndexes: 20_261_125,
  reminders: 20_261_126,
  searchIndex: 20_261_127,
  retention: 20_261_128,
  usernames: 20_261_129,
  staffEmails: 20_261_130,
  erasureNotices: 20_261_131,
  leadNotifications: 20_261_130,
  emailLimits: 20_261_125_014,
  /** A pair, in another space than the single numbers. */
  auditLog: '20261125, 21',
  /** The first number of pairs. The second one is a hash of the id of an account. */
  erasuresOfAccount: 20_261_132,
} as const;
