import { runOperatorCommand } from './command-line/run-command.ts';
import { erasuresCommand, erasuresUsage } from './commands/erasures.ts';

await runOperatorCommand('erasures', erasuresUsage, erasuresCommand);
