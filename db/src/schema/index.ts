export { grantQueueAccess, roles } from './app-access.ts';
export {
  describeLater,
  lockNotAvailable,
  migrateTo,
  migrateUp,
  MigrationHistoryError,
  migrations,
  oneTry,
  planMigrateTo,
  readMigrationHistory,
} from './migrate.ts';
export { prepareRoles, type Role } from './prepare-roles.ts';
export { checkReadiness } from './readiness.ts';
export { previousRelease, releases } from './releases.ts';
