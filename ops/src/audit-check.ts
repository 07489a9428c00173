import { connectForMaintenance } from '@dune-tide/db/connection';
import { runOperatorCommand } from './command-line/run-command.ts';
import { auditCheckCommand, auditCheckUsage } from './commands/audit-check.ts';

await runOperatorCommand('audit-check', auditCheckUsage, auditCheckCommand, 'backup', connectForMaintenance);
