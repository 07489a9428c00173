export { auditEntries } from './entries.ts';
export { auditLog, checkAuditLog, type AuditAction, type AuditEntry, type AuditHead } from './log.ts';
