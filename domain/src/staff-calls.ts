import type { AuditAction } from './audit-actions.ts';
import type { SessionNeed } from './responses/session.ts';
import type { StaffRole } from './staff-roles.ts';

/** The prefix of the path of every staff call. */
export const staffPrefix = '/api/admin';

/** A call of the staff area, as the guard, the router, the documentation and the interface read it. */
export interface StaffCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The whole path. A parameter starts with a colon; `{*rest}` matches several segments. */
  readonly path: `${typeof staffPrefix}/${string}`;
  /** The callers: `anyone`, without a session; `member`, any account; or `owner`, an account with that role. */
  readonly access: 'anyone' | StaffRole;
  /** The steps that an account may still have to take when it makes the call; none by default. */
  readonly allowedDuring?: readonly SessionNeed[];
  /** Whether the account must have entered its password within ten minutes. */
  readonly needsFreshPassword?: boolean;
  /**
   * Number of replies, exports or erased addresses of one account within an hour. The transaction that makes the change
   * counts the rows that record it.
   */
  readonly perHour?: number;
  /**
   * The action of its entry in the audit log, or those that it can have. Each call that changes, exports, sends, destroys
   * or lets in has one.
   */
  readonly auditedAs?: AuditAction | readonly AuditAction[];
  /** The most rows that a member gets, who gets no file above it. An owner needs a fresh password above it. */
  readonly rowsForMembers?: number;
}

/** The replies and the corrected addresses of one account within an hour, together. */
const emailsPerHour = 60;

/** Every call of the staff area. A row decides who may make the call; the route in the API has the rest. */
export const staffCalls = {
  signIn: { method: 'POST', path: '/api/admin/login', access: 'anyone', auditedAs: 'signed_in' },
  signInWithCode: { method: 'POST', path: '/api/admin/login/code', access: 'anyone', auditedAs: 'signed_in' },
  beginPasskeySignIn: { method: 'POST', path: '/api/admin/login/passkey/options', access: 'anyone' },
  signInWithPasskey: { method: 'POST', path: '/api/admin/login/passkey', access: 'anyone', auditedAs: 'signed_in' },
  signOut: {
    method: 'POST',
    path: '/api/admin/logout',
    access: 'member',
    allowedDuring: ['new_password', 'second_factor'],
    auditedAs: 'signed_out',
  },
  session: {
    method: 'GET',
    path: '/api/admin/session',
    access: 'member',
    allowedDuring: ['new_password', 'second_factor'],
  },

  ownAccount: { method: 'GET', path: '/api/admin/account', access: 'member' },
  changeOwnAccount: {
    method: 'PATCH',
    path: '/api/admin/account',
    access: 'member',
    needsFreshPassword: true,
    auditedAs: ['name_set', 'email_entered', 'email_set'],
  },
  chooseLeadEmails: { method: 'PATCH', path: '/api/admin/account/lead-emails', access: 'member' },
  ownSessions: { method: 'GET', path: '/api/admin/account/sessions', access: 'member' },
  endOtherSessions: {
    method: 'DELETE',
    path: '/api/admin/account/sessions',
    access: 'member',
    needsFreshPassword: true,
    auditedAs: ['session_ended', 'devices_ended'],
  },
  endSession: {
    method: 'DELETE',
    path: '/api/admin/account/sessions/:id',
    access: 'member',
    needsFreshPassword: true,
    auditedAs: 'session_ended',
  },
  confirmPassword: {
    method: 'POST',
    path: '/api/admin/account/confirm',
    access: 'member',
    allowedDuring: ['second_factor'],
    auditedAs: 'password_confirmed',
  },
  changeOwnPassword: {
    method: 'POST',
    path: '/api/admin/account/password',
    access: 'member',
    allowedDuring: ['new_password'],
    auditedAs: 'password_changed',
  },
  beginTotp: {
    method: 'POST',
    path: '/api/admin/account/totp',
    access: 'member',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
  },
  confirmTotp: {
    method: 'POST',
    path: '/api/admin/account/totp/confirm',
    access: 'member',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
    auditedAs: 'second_factor_added',
  },
  removeTotp: {
    method: 'DELETE',
    path: '/api/admin/account/totp',
    access: 'member',
    needsFreshPassword: true,
    auditedAs: 'second_factor_removed',
  },
  beginPasskey: {
    method: 'POST',
    path: '/api/admin/account/passkeys/options',
    access: 'member',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
  },
  addPasskey: {
    method: 'POST',
    path: '/api/admin/account/passkeys',
    access: 'member',
    allowedDuring: ['second_factor'],
    needsFreshPassword: true,
    auditedAs: 'second_factor_added',
  },
  removePasskey: {
    method: 'DELETE',
    path: '/api/admin/account/passkeys/:id',
    access: 'member',
    needsFreshPassword: true,
    auditedAs: 'second_factor_removed',
  },
  replaceRecoveryCodes: {
    method: 'POST',
    path: '/api/admin/account/recovery-codes',
    access: 'member',
    needsFreshPassword: true,
    auditedAs: 'recovery_codes_replaced',
  },

  accounts: { method: 'GET', path: '/api/admin/team', access: 'member' },
  addAccount: {
    method: 'POST',
    path: '/api/admin/team',
    access: 'owner',
    needsFreshPassword: true,
    auditedAs: ['member_added', 'email_entered'],
  },
  changeAccount: {
    method: 'PATCH',
    path: '/api/admin/team/:id',
    access: 'owner',
    needsFreshPassword: true,
    auditedAs: [
      'member_activated',
      'member_deactivated',
      'made_owner',
      'made_member',
      'email_entered',
      'email_set',
      'password_set',
    ],
  },

  contacts: { method: 'GET', path: '/api/admin/contacts', access: 'member' },
  serviceInquiries: { method: 'GET', path: '/api/admin/service-inquiries', access: 'member' },
  careerApplications: { method: 'GET', path: '/api/admin/careers', access: 'member' },
  lead: { method: 'GET', path: '/api/admin/leads/:id', access: 'member' },
  leads: { method: 'GET', path: '/api/admin/leads', access: 'member' },
  /** `perHour` holds for members. */
  exportLeads: {
    method: 'GET',
    path: '/api/admin/leads.csv',
    access: 'member',
    perHour: 5,
    rowsForMembers: 500,
    auditedAs: 'leads_exported',
  },
  changeLead: {
    method: 'PATCH',
    path: '/api/admin/leads/:id',
    access: 'member',
    auditedAs: ['lead_status', 'lead_owner', 'lead_answered', 'lead_not_answered'],
  },
  changeLeads: {
    method: 'POST',
    path: '/api/admin/leads/bulk',
    access: 'member',
    auditedAs: ['lead_status', 'lead_owner', 'lead_answered', 'lead_not_answered', 'lead_spam', 'lead_released'],
  },
  markLeadAsSpam: { method: 'POST', path: '/api/admin/leads/:id/spam', access: 'member', auditedAs: 'lead_spam' },
  releaseLead: { method: 'POST', path: '/api/admin/leads/:id/release', access: 'member', auditedAs: 'lead_released' },
  reply: {
    method: 'POST',
    path: '/api/admin/leads/:id/replies',
    access: 'member',
    perHour: emailsPerHour,
    auditedAs: 'lead_reply_written',
  },
  undoReply: {
    method: 'POST',
    path: '/api/admin/leads/:id/replies/:replyId/undo',
    access: 'member',
    auditedAs: 'lead_reply_withdrawn',
  },
  leadHistory: { method: 'GET', path: '/api/admin/leads/:id/history', access: 'member' },
  addNote: { method: 'POST', path: '/api/admin/leads/:id/notes', access: 'member', auditedAs: 'lead_note' },
  editNote: {
    method: 'PATCH',
    path: '/api/admin/leads/:id/notes/:noteId',
    access: 'member',
    auditedAs: 'lead_note_edited',
  },
  deleteNote: {
    method: 'DELETE',
    path: '/api/admin/leads/:id/notes/:noteId',
    access: 'member',
    auditedAs: 'lead_note_deleted',
  },
  removeLeadMark: { method: 'DELETE', path: '/api/admin/leads/:id/mark', access: 'member' },
  announcements: { method: 'GET', path: '/api/admin/events', access: 'member' },

  followUps: { method: 'GET', path: '/api/admin/follow-ups', access: 'member' },
  followUpsOfLead: { method: 'GET', path: '/api/admin/leads/:id/follow-ups', access: 'member' },
  findFollowUps: { method: 'GET', path: '/api/admin/follow-ups/search', access: 'member' },
  followUpCounts: { method: 'GET', path: '/api/admin/follow-ups/counts', access: 'member' },
  retryFollowUps: {
    method: 'POST',
    path: '/api/admin/follow-ups/retry',
    access: 'owner',
    auditedAs: 'follow_ups_retried',
  },
  cancelFollowUps: {
    method: 'POST',
    path: '/api/admin/follow-ups/cancel',
    access: 'owner',
    auditedAs: 'follow_ups_cancelled',
  },
  optOuts: { method: 'GET', path: '/api/admin/opt-outs', access: 'member' },
  removeOptOut: { method: 'DELETE', path: '/api/admin/opt-outs/:id', access: 'owner', auditedAs: 'opt_out_removed' },
  retryFollowUp: {
    method: 'POST',
    path: '/api/admin/follow-ups/:id/retry',
    access: 'member',
    auditedAs: 'follow_up_retried',
  },
  correctRecipient: {
    method: 'POST',
    path: '/api/admin/follow-ups/:id/recipient',
    access: 'member',
    perHour: emailsPerHour,
    auditedAs: 'lead_address_corrected',
  },
  cancelFollowUp: {
    method: 'POST',
    path: '/api/admin/follow-ups/:id/cancel',
    access: 'member',
    auditedAs: 'follow_up_cancelled',
  },
  queueBoard: { method: 'GET', path: '/api/admin/queue', access: 'member' },
  queueBoardFiles: { method: 'GET', path: '/api/admin/queue/{*rest}', access: 'member' },

  stats: { method: 'GET', path: '/api/admin/stats', access: 'member' },
  recentActivity: { method: 'GET', path: '/api/admin/recent-activity', access: 'member' },
  dueNext: { method: 'GET', path: '/api/admin/due-next', access: 'member' },
  trends: { method: 'GET', path: '/api/admin/trends', access: 'member' },

  recipes: { method: 'GET', path: '/api/admin/recipes', access: 'member' },
  addRecipe: { method: 'POST', path: '/api/admin/recipes', access: 'member', auditedAs: 'recipe_added' },
  changeRecipe: { method: 'PATCH', path: '/api/admin/recipes/:id', access: 'member', auditedAs: 'recipe_changed' },
  deleteRecipe: { method: 'DELETE', path: '/api/admin/recipes/:id', access: 'member', auditedAs: 'recipe_deleted' },

  views: { method: 'GET', path: '/api/admin/views', access: 'member' },
  addView: { method: 'POST', path: '/api/admin/views', access: 'member', auditedAs: 'view_saved' },
  orderViews: { method: 'PATCH', path: '/api/admin/views', access: 'member', auditedAs: 'views_ordered' },
  deleteView: { method: 'DELETE', path: '/api/admin/views/:id', access: 'member', auditedAs: 'view_deleted' },

  personalData: { method: 'GET', path: '/api/admin/people', access: 'member' },
  exportPerson: {
    method: 'GET',
    path: '/api/admin/people/export',
    access: 'owner',
    needsFreshPassword: true,
    auditedAs: 'person_exported',
  },
  erasePerson: {
    method: 'POST',
    path: '/api/admin/people/erase',
    access: 'owner',
    needsFreshPassword: true,
    perHour: 20,
    auditedAs: 'person_erased',
  },
  auditLog: { method: 'GET', path: '/api/admin/audit-log', access: 'owner' },
} as const satisfies Readonly<Record<string, StaffCall>>;
