import type { SessionNeed } from './responses/session.ts';

/** The prefix of the path of every staff call. */
export const staffPrefix = '/api/admin';

/** A call of the staff area, as the guard, the router, the documentation and the interface read it. */
export interface StaffCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The whole path. A parameter starts with a colon; `{*rest}` matches several segments. */
  readonly path: `${typeof staffPrefix}/${string}`;
  /** The callers: `anyone`, without a session, or `staff`, with one. */
  readonly access: 'anyone' | 'staff';
  /** The steps that an account may still have to take when it makes the call; none by default. */
  readonly allowedDuring?: readonly SessionNeed[];
  /** Whether the account must have entered its password within ten minutes. */
  readonly needsFreshPassword?: boolean;
}

/** Every call of the staff area. A row decides who may make the call; the route in the API has the rest. */
export const staffCalls = {
  signIn: { method: 'POST', path: '/api/admin/login', access: 'anyone' },
  signInWithCode: { method: 'POST', path: '/api/admin/login/code', access: 'anyone' },
  beginPasskeySignIn: { method: 'POST', path: '/api/admin/login/passkey/options', access: 'anyone' },
  signInWithPasskey: { method: 'POST', path: '/api/admin/login/passkey', access: 'anyone' },
  signOut: {
    method: 'POST',
    path: '/api/admin/logout',
    access: 'staff',
    allowedDuring: ['new_password', 'second_factor'],
  },
  session: {
    method: 'GET',
    path: '/api/admin/session',
    access: 'staff',
    allowedDuring: ['new_password', 'second_factor'],
  },

  ownAccount: { method: 'GET', path: '/api/admin/account', access: 'staff' },
  changeOwnAccount: { method: 'PATCH', path: '/api/admin/account', access: 'staff' },
  ownSessions: { method: 'GET', path: '/api/admin/account/sessions', access: 'staff' },
  endOtherSessions: { method: 'DELETE', path: '/api/admin/account/sessions', access: 'staff' },
  endSession: { method: 'DELETE', path: '/api/admin/account/sessions/:id', access: 'staff' },
  confirmPassword: {
    method: 'POST',
    path: '/api/admin/account/confirm',
    access: 'staff',
    allowedDuring: ['second_factor'],
  },
  changeOwnPassword: {
    method: 'POST',
    path: '/api/admin/account/password',
    access: 'staff',
    allowedDuring: ['new_password'],
  },
  beginTotp: {
    method: 'POST',
    path: '/api/admin/account/totp',
    access: 'staff',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
  },
  confirmTotp: {
    method: 'POST',
    path: '/api/admin/account/totp/confirm',
    access: 'staff',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
  },
  removeTotp: { method: 'DELETE', path: '/api/admin/account/totp', access: 'staff', needsFreshPassword: true },
  beginPasskey: {
    method: 'POST',
    path: '/api/admin/account/passkeys/options',
    access: 'staff',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
  },
  addPasskey: {
    method: 'POST',
    path: '/api/admin/account/passkeys',
    access: 'staff',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/admin/account/passkeys/:id',
    access: 'staff',
    needsFreshPassword: true,
  },
  replaceRecoveryCodes: {
    method: 'POST',
    path: '/api/admin/account/recovery-codes',
    access: 'staff',
    needsFreshPassword: true,
  },

  accounts: { method: 'GET', path: '/api/admin/team', access: 'staff' },
  addAccount: { method: 'POST', path: '/api/admin/team', access: 'staff' },
  changeAccount: { method: 'PATCH', path: '/api/admin/team/:id', access: 'staff' },

  contacts: { method: 'GET', path: '/api/admin/contacts', access: 'staff' },
  serviceInquiries: { method: 'GET', path: '/api/admin/service-inquiries', access: 'staff' },
  careerApplications: { method: 'GET', path: '/api/admin/careers', access: 'staff' },
  lead: { method: 'GET', path: '/api/admin/leads/:id', access: 'staff' },
  leads: { method: 'GET', path: '/api/admin/leads', access: 'staff' },
  exportLeads: { method: 'GET', path: '/api/admin/leads.csv', access: 'staff' },
  changeLead: { method: 'PATCH', path: '/api/admin/leads/:id', access: 'staff' },
  changeLeads: { method: 'POST', path: '/api/admin/leads/bulk', access: 'staff' },
  markLeadAsSpam: { method: 'POST', path: '/api/admin/leads/:id/spam', access: 'staff' },
  releaseLead: { method: 'POST', path: '/api/admin/leads/:id/release', access: 'staff' },
  reply: { method: 'POST', path: '/api/admin/leads/:id/replies', access: 'staff' },
  undoReply: { method: 'POST', path: '/api/admin/leads/:id/replies/:replyId/undo', access: 'staff' },
  leadHistory: { method: 'GET', path: '/api/admin/leads/:id/history', access: 'staff' },
  addNote: { method: 'POST', path: '/api/admin/leads/:id/notes', access: 'staff' },
  editNote: { method: 'PATCH', path: '/api/admin/leads/:id/notes/:noteId', access: 'staff' },
  deleteNote: { method: 'DELETE', path: '/api/admin/leads/:id/notes/:noteId', access: 'staff' },
  announcements: { method: 'GET', path: '/api/admin/events', access: 'staff' },

  followUps: { method: 'GET', path: '/api/admin/follow-ups', access: 'staff' },
  followUpsOfLead: { method: 'GET', path: '/api/admin/leads/:id/follow-ups', access: 'staff' },
  followUpCounts: { method: 'GET', path: '/api/admin/follow-ups/counts', access: 'staff' },
  retryFollowUps: { method: 'POST', path: '/api/admin/follow-ups/retry', access: 'staff' },
  cancelFollowUps: { method: 'POST', path: '/api/admin/follow-ups/cancel', access: 'staff' },
  optOuts: { method: 'GET', path: '/api/admin/opt-outs', access: 'staff' },
  removeOptOut: { method: 'DELETE', path: '/api/admin/opt-outs/:id', access: 'staff' },
  retryFollowUp: { method: 'POST', path: '/api/admin/follow-ups/:id/retry', access: 'staff' },
  correctRecipient: { method: 'POST', path: '/api/admin/follow-ups/:id/recipient', access: 'staff' },
  cancelFollowUp: { method: 'POST', path: '/api/admin/follow-ups/:id/cancel', access: 'staff' },
  queueBoard: { method: 'GET', path: '/api/admin/queue', access: 'staff' },
  queueBoardFiles: { method: 'GET', path: '/api/admin/queue/{*rest}', access: 'staff' },

  stats: { method: 'GET', path: '/api/admin/stats', access: 'staff' },
  recentActivity: { method: 'GET', path: '/api/admin/recent-activity', access: 'staff' },
  dueNext: { method: 'GET', path: '/api/admin/due-next', access: 'staff' },
  trends: { method: 'GET', path: '/api/admin/trends', access: 'staff' },

  recipes: { method: 'GET', path: '/api/admin/recipes', access: 'staff' },
  addRecipe: { method: 'POST', path: '/api/admin/recipes', access: 'staff' },
  changeRecipe: { method: 'PATCH', path: '/api/admin/recipes/:id', access: 'staff' },
  deleteRecipe: { method: 'DELETE', path: '/api/admin/recipes/:id', access: 'staff' },

  views: { method: 'GET', path: '/api/admin/views', access: 'staff' },
  addView: { method: 'POST', path: '/api/admin/views', access: 'staff' },
  orderViews: { method: 'PATCH', path: '/api/admin/views', access: 'staff' },
  deleteView: { method: 'DELETE', path: '/api/admin/views/:id', access: 'staff' },

  personalData: { method: 'GET', path: '/api/admin/people', access: 'staff' },
  exportPerson: { method: 'GET', path: '/api/admin/people/export', access: 'staff' },
  erasePerson: { method: 'POST', path: '/api/admin/people/erase', access: 'staff' },
  auditLog: { method: 'GET', path: '/api/admin/audit-log', access: 'staff' },
} as const satisfies Readonly<Record<string, StaffCall>>;
