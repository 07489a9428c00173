import { connectForMaintenance } from '@dune-tide/db/connect';
import { runBackupCommand } from './backup/operator.ts';
import { runOperatorCommand } from './operator/operator-command.ts';

/** The operator's command that writes a backup. */
await runOperatorCommand(
  'backup',
  (database, say) => runBackupCommand(process.argv.slice(2), { database, say }),
  connectForMaintenance,
);
