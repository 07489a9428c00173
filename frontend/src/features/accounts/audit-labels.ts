import type { AuditEntry } from './audit-log-api.ts';

/** The actions of the audit log in the order of the filter. An action without a label is shown by its name. */
export const auditLabels: Readonly<Record<string, string>> = {
  signed_in: 'Signed in',
  sign_in_refused: 'Sign-in refused',
  second_factor_refused: 'Second factor refused',
  password_refused: 'Password refused',
  signed_out: 'Signed out',
  session_ended: 'Sessions ended',
  devices_ended: 'Signed out everywhere else',
  member_added: 'Member added',
  member_activated: 'Member activated',
  member_deactivated: 'Member deactivated',
  made_owner: 'Made an owner',
  made_member: 'Made a member',
  name_set: 'Name changed',
  email_set: 'Email address changed',
  password_set: 'Password set',
  password_changed: 'Own password changed',
  second_factor_added: 'Second factor added',
  second_factor_removed: 'Second factor removed',
  recovery_code_used: 'Recovery code used',
  recovery_codes_replaced: 'Recovery codes replaced',
  leads_exported: 'Leads exported',
  person_exported: 'Personal data exported',
  person_erased: 'Personal data erased',
  lead_withdrawn: 'Lead withdrawn',
  leads_expired: 'Leads erased by retention',
  backup_restored: 'Backup restored',
  audit_entries_removed: 'Old entries removed',
  lead_status: 'Lead: status',
  lead_owner: 'Lead: owner',
  lead_answered: 'Lead: answered',
  lead_not_answered: 'Lead: not answered',
  lead_reply_written: 'Lead: reply written',
  lead_reply_withdrawn: 'Lead: reply withdrawn',
  lead_note: 'Lead: note',
  lead_note_edited: 'Lead: note edited',
  lead_note_deleted: 'Lead: note deleted',
  lead_spam: 'Lead: spam',
  lead_released: 'Lead: released',
  lead_address_corrected: 'Lead: address corrected',
};

/** Returns the name of an action for a reader. */
export function auditLabel(action: string): string {
  const words = action.replaceAll('_', ' ');
  return auditLabels[action] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns who did what an entry reports. */
export function actorLabel({ actor, actorName }: AuditEntry): string {
  if (actorName !== null) return actorName;
  return { staff: 'Former member', operator: 'Operator', system: 'Program', unknown: 'Unknown person' }[actor];
}
