import { connectForMaintenance } from '@dune-tide/db/connection';
import { restoreCommand, restoreUsage } from './commands/backup.ts';
import { runOperatorCommand } from './command-line/run-command.ts';

await runOperatorCommand('restore', restoreUsage, restoreCommand, 'migrate', connectForMaintenance);
