import { constants } from 'node:os';
import { connectForMaintenance } from '@dune-tide/db/connect';
import { backupCommand, backupUsage } from './commands/backup.ts';
import { runOperatorCommand } from './command-line/run-command.ts';

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  // So that half a backup does not stay. As a shell counts them.
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

/** The operator's command that writes a backup. */
await runOperatorCommand('backup', backupUsage, backupCommand, connectForMaintenance);
