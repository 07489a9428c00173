import { constants } from 'node:os';
import { connectForMaintenance } from '@dune-tide/db/connection';
import { backupCommand, backupUsage } from './commands/backup.ts';
import { runOperatorCommand } from './command-line/run-command.ts';

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  // `process.exit` runs the handler that removes an incomplete backup. Shells use the same exit codes.
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

await runOperatorCommand('backup', backupUsage, backupCommand, 'backup', connectForMaintenance);
