export { erasedEmails } from './erased-emails.ts';
export { personalDataExport } from './export.ts';
export { personalData, type ListedErasure } from './personal-data.ts';
export { receipts, type Receipt } from './receipts.ts';
export { retentionStart, retentionStore, type RetentionPeriods, type RetentionPlace } from './retention.ts';
