export { grantQueueAccess, roles } from './app-access.ts';
export { buildDefinitions, changeDefinitions, readDefinitions, type DefinitionChange } from './definitions.ts';
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
export { isBackedUp, tables, type BackedUpTable } from './tables.ts';
