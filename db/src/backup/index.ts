export { BackupError, readBackup, restoreBackup, type RowCounts } from './backup.ts';
