export { BackupError, noBackup, readBackup, restoreBackup, type RowCounts } from './backup.ts';
