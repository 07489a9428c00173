export { grantQueueAccess, roles } from './app-access.ts';
export { buildDefinitions, changeDefinitions, readDefinitions, type DefinitionChange } from './definitions.ts';
export {
  describeLater,
  lockNotAvailable,
  migrateTo,
  migrateUp,
  MigrationHistoryError,
  oneTry,
  planMigrateTo,
  readMigrationHistory,
  upgradeFirst,
} from './migrate.ts';
export { isBeforeRequiredStop, migrations } from './migrations.ts';
export { prepareRoles, type Role } from './prepare-roles.ts';
export { checkReadiness } from './readiness.ts';
export { previousRelease, releases, requiredStop } from './releases.ts';
export { isBackedUp, tables, type BackedUpTable } from './tables.ts';
