import { runOperatorCommand } from './command-line/run-command.ts';
import { erasuresCommand, erasuresUsage } from './commands/erasures.ts';

// Only the owner of the tables can remove entries from the list.
const role = process.argv.some((word) => word.startsWith('--skip-by')) ? 'migrate' : 'app';
await runOperatorCommand('erasures', erasuresUsage, erasuresCommand, role);
