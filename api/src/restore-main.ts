import { connectForMaintenance } from '@dune-tide/db/connect';
import { restoreCommand, restoreUsage } from './backup/operator.ts';
import { runOperatorCommand } from './operator/operator-command.ts';

/** The operator's command that puts a backup into a database. */
await runOperatorCommand('restore', restoreUsage, restoreCommand, connectForMaintenance);
