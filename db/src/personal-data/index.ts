export { erasedEmails } from './erased-emails.ts';
export {
  ErasureLimitReached,
  erasureList,
  erasureSubjects,
  NoErasuresToSkip,
  type ErasureCount,
  type ListedErasure,
} from './erasure-list.ts';
export { erasureNotices, type ErasureNotice } from './erasure-notices.ts';
export { personalDataExport } from './export.ts';
export { personalData } from './personal-data.ts';
export { receipts, type Receipt } from './receipts.ts';
export { retentionStart, retentionStore, type RetentionPeriods, type RetentionPlace } from './retention.ts';
