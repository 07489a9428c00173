/** Maximum lengths of texts, in Unicode code points. */
export const maxLength = {
  name: 100,
  email: 254,
  phone: 40,
  url: 2048,
  /** A choice or a short label. Every option of every form fits. */
  selection: 100,
  text: 5000,
  /** The composed details of a project inquiry: five fields of `text` length with their labels. */
  composedText: 26_000,
  instructions: 50_000,
  /** The subject and the text of a reply to a lead. */
  subject: 200,
  reply: 10_000,
  /** The words of a search. */
  search: 200,
  /** The name of a saved view. */
  viewName: 60,
  password: 200,
  /** A code of the second factor, with the spaces and hyphens of its groups. */
  code: 40,
  passkeyName: 60,
  /** The id of a passkey, 1,023 bytes in Base64url (Web Authentication, 4, "Credential ID"). */
  credentialId: 1364,
  /** Each other part of a browser's response to a passkey prompt, in Base64url. */
  passkeyPart: 16_000,
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
  shortText: 10,
  longText: 20,
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

/**
 * Time limit for fetching a form token, in milliseconds. If the token arrived later, the form would seem to have been
 * filled in too fast.
 */
export const formTokenPatience = 1_000;

/**
 * Age in milliseconds up to which a token with an invalid signature counts as forged. The key of an older token may
 * have been removed.
 */
export const formTokenKeyLife = 8 * 60 * 60 * 1_000;

/**
 * The limits of automatic emails (docs/PRODUCT.md, "Email limits"). EMAIL_LIMIT replaces `totalPerHour`. Addresses that
 * differ only in case or in a tag after "+" count as one mailbox.
 */
export const emailLimits = {
  /** Portfolio emails to one mailbox. */
  portfolioPerHour: 3,
  /** Emails of all kinds to one mailbox. The site has nine forms that a visitor can try. */
  mailboxPerHour: 10,
  mailboxPerDay: 20,
  /** Emails to all mailboxes of one domain. */
  domainPerHour: 100,
  /** The same for domains of mail providers, which unrelated visitors share. */
  sharedDomainPerHour: 500,
  sharedDomains: [
    'gmail.com',
    'googlemail.com',
    'outlook.com',
    'hotmail.com',
    'live.com',
    'msn.com',
    'yahoo.com',
    'icloud.com',
    'me.com',
    'aol.com',
    'gmx.com',
    'gmx.de',
    'gmx.net',
    'web.de',
    'mail.com',
    'mail.ru',
    'yandex.com',
    'yandex.ru',
    'proton.me',
    'protonmail.com',
    'zoho.com',
    'qq.com',
    '163.com',
  ],
  /** Emails to all visitors. */
  totalPerHour: 1_000,
  /** Separate notices to staff. Further notices are collected in a digest (docs/PRODUCT.md, "Digests"). */
  noticesPerHour: 20,
  /** The time for which a digest collects notices. */
  digestMinutes: 10,
} as const;

/** Maximum number of leads that a digest describes. The digest gives the number of all. */
export const maxDigestLeads = 100;

/**
 * Maximum size of the HTML part of an email, encoded and with its headers, in bytes. Gmail cuts it off at 102 kB.
 */
export const maxHtmlPartBytes = 90_000;

/**
 * The limits of emails that staff have sent to visitors: replies, and retries and corrected addresses of any email
 * (docs/PRODUCT.md, "Limits of replies"). `reply.perHour` of `staffCalls` has the limit of an account.
 */
export const staffEmailLimits = {
  /** Replies to one lead within `leadMinutes`. */
  perLead: 5,
  leadMinutes: 10,
  /** Emails to one mailbox. */
  perMailboxAndHour: 10,
} as const;

/** The rate limit of the page that stops automatic emails, for one link, or one IP address without a valid one. */
export const unsubscribeLimit = { requests: 60, windowSeconds: 10 * 60 } as const;

/** Hours after which the link that confirms an account's address is invalid. */
export const emailConfirmationHours = 24;

/** The rate limit of the page that confirms an address, for one link, or one IP address without a valid one. */
export const emailConfirmationLimit = { requests: 60, windowSeconds: 10 * 60 } as const;

/** Days after which the link to a receipt is invalid (docs/PRODUCT.md, "Receipt page"). */
export const receiptDays = 90;

/** The rate limit of receipts, for one link, or one IP address without a valid one. */
export const receiptLimit = { requests: 60, windowSeconds: 10 * 60 } as const;

/** The pattern of an `Idempotency-Key`: visible ASCII without spaces. */
export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';

/**
 * The networks that limits count: the length of the prefix in bits, and the factor by which the limit of one address is
 * multiplied. The /64 of IPv6 counts as one address, because one subscriber has all of it. Providers delegate a /56 or
 * a /48 to a customer, so an attacker can have one of those (docs/PRODUCT.md, "Networks").
 */
export const networkFactors = { ipv4: { 32: 1, 24: 4 }, ipv6: { 64: 1, 56: 2, 48: 4 } } as const;

/**
 * The rate limit of one form from one address. Rejected submissions count too (docs/PRODUCT.md, "Submissions"). Above
 * it, a retry of a stored lead still gets the original response, until `retryFactor` times the limit is reached.
 */
export const submissionLimit = { submissions: 10, windowSeconds: 10 * 60, retryFactor: 2 } as const;

/**
 * The total size of the large leads that one address can send in a day, over all forms. The first `freeKibibytes` of
 * each lead do not count, so that a usual lead is never refused for its size and needs no further count.
 */
export const storageBudget = { kibibytes: 1024, freeKibibytes: 4, windowSeconds: 24 * 60 * 60 } as const;

/**
 * The rate limits of failed sign-ins from unknown devices (docs/PRODUCT.md, "Sign-in attempts"):
 * - for one account, which allows at most 100 guesses in an hour
 * - for one account from one address
 * - for all accounts from one address; higher, because the members of an office share an address
 */
export const signInLimit = {
  failuresPerAccount: 20,
  failuresPerAccountAndAddress: 5,
  failuresPerAddress: 50,
  windowSeconds: 15 * 60,
} as const;

/**
 * The limits of failures from known devices (docs/PRODUCT.md, "Sign-in attempts"): `failures` for one device, and
 * `accountFailures` for all devices of an account together. Above the latter, each device has one try in `windowSeconds`.
 */
export const deviceLimit = {
  failures: 5,
  windowSeconds: 15 * 60,
  accountFailures: 50,
  accountWindowSeconds: 60 * 60,
} as const;

/** Days for which the network and the device of an audited sign-in or refusal are kept (docs/PRODUCT.md, "Audit log"). */
export const auditOriginDays = 90;

/** Refused calls, and sign-ins above a limit, that are recorded of one account in an hour; further ones are not. */
export const auditedRefusalsPerHour = 100;

/** Time for which a device counts as known after a sign-in, in days (docs/PRODUCT.md, "Known devices"). */
export const knownDeviceDays = 180;

/** Maximum number of known devices of an account. A new one replaces the one whose last sign-in is the oldest. */
export const maxKnownDevices = 10;

/**
 * Days after the upgrade from 0.3.0 in which the previous release may still run and issue device cookies. Cookies that
 * were issued later are not accepted.
 */
export const formerDeviceDays = 7;

/**
 * From these numbers of refusals within a day, the owner of an account gets an email (docs/PRODUCT.md, "Notices about
 * accounts"): wrong codes after the right password, and refused sign-ins.
 */
export const guessNotice = { wrongCodes: 3, refusedSignIns: 100 } as const;

/** A session expires after `idleMinutes` without use, or `hours` after the sign-in (docs/PRODUCT.md, "Sessions"). */
export const sessionLimit = { idleMinutes: 30, hours: 8 } as const;

/** Time after which a session must enter its password again for a sensitive change, in minutes. */
export const passwordFreshMinutes = 10;

/** Number of recovery codes of an account with a second factor. */
export const recoveryCodeCount = 10;

/** Time that a sign-in waits for the second factor, in minutes. */
export const pendingSignInMinutes = 10;

/** Time for which the challenge of a passkey can be used, in minutes (Web Authentication, 15.1). */
export const passkeyChallengeMinutes = 5;

/** Maximum number of passkeys of an account. */
export const maxPasskeys = 20;

/** Maximum number of entries on a page of a list, and the default of `limit`. */
export const maxPageSize = 100;

/** Maximum number of entries of the recent activity. */
export const maxRecentActivities = 20;

/** Hours before the due time in which a lead is due soon (docs/PRODUCT.md, "Clock"). */
export const dueSoonHours = 4;

/** Maximum number of leads in one bulk change, and in one of its transactions. */
export const bulkChange = { leads: 500, leadsPerTransaction: 100 } as const;

/** Maximum number of leads that the dashboard lists as due next. */
export const maxDueNext = 10;

/** The periods of the dashboard's figures and charts, in days and weeks (docs/PRODUCT.md, "Figures"). */
export const figurePeriods = { growthDays: 30, onTimeDays: 30, statusDays: 90, chartWeeks: 12 } as const;

/** The number up to which matching leads are counted (docs/PRODUCT.md, "Lists"). */
export const maxCountedMatches = 1_000;

/** Maximum number of views that an account saves (docs/PRODUCT.md, "Saved views"). */
export const maxLeadViews = 50;

/** The number of leads that one statement of an export reads; more than `rowsForMembers` of `staffCalls`. */
export const leadExport = { leadsTogether: 1_000 } as const;

/**
 * Limits of files that are exported: those that a process writes concurrently, of which one for each account, and the
 * time in milliseconds without progress after which a file is given up.
 */
export const fileExport = { concurrent: 2, stallMs: 10_000 } as const;

/**
 * Limits of the reminder emails (docs/PRODUCT.md, "Reminders"). A lead that became overdue more than `windowDays` days
 * ago is not listed, so that a new STAFF_EMAIL does not cause emails about old leads. One email covers at most `leads`
 * and shows `shownLeads` of them.
 */
export const reminderLimit = { hours: 1, windowDays: 7, leads: 5_000, shownLeads: 50 } as const;

/**
 * Limits of the emails about assigned leads and mentions (docs/PRODUCT.md, "Notifications"): how long each choice of an
 * account collects leads for one email, in seconds, and how many of them the email lists.
 */
export const leadNotificationLimit = { collectSeconds: { hourly: 60 * 60, immediate: 60 }, shownLeads: 50 } as const;

/** Maximum number of leads whose marks an announcement names for an account. It has the number of all. */
export const maxMarkedLeads = 500;

/**
 * Limits of the server-sent events: open connections of a process and of a session in it, the interval of its query and the one of the session
 * check, in milliseconds (docs/PRODUCT.md, "Announcements").
 */
export const announcements = { connections: 200, perSession: 10, intervalMs: 3_000, sessionCheckMs: 30_000 } as const;

/** Time for which a reply waits before it is sent, so that it can be undone, in seconds (docs/PRODUCT.md, "Replies"). */
export const replyDelaySeconds = 10;

/**
 * The quote of the visitor's text at the end of a reply, in Unicode code points and lines, and the number of earlier
 * emails that a reply refers to, besides the first one.
 */
export const replyQuote = { characters: 600, lines: 12, references: 20 } as const;

/**
 * Leads that one transaction erases, and that one call erases at most (docs/PRODUCT.md, "Erasure"), and the hours
 * between two emails that report erasures by staff.
 */
export const erasure = { leadsTogether: 200, leads: 5_000, noticeHours: 1 } as const;

/** Number of follow-ups that the operators' command lists. */
export const listedFollowUps = { byDefault: 50, atMost: 1_000 } as const;

/** Number of follow-ups that a search by address, lead or Message-ID returns, and the length of its term. */
export const [foundFollowUps, maxTermLength] = [100, 320];
