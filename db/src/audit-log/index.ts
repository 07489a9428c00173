export { auditEntries } from './entries.ts';
export {
  audited,
  auditHead,
  auditLog,
  checkAuditLog,
  lastRestore,
  sealed,
  type AuditEntry,
  type AuditHead,
  type AuditOrigin,
} from './log.ts';
export { auditAlarms, type AuditAlarms } from './alarms.ts';
