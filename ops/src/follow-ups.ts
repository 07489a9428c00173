import { followUpsCommand, followUpsUsage } from './commands/follow-ups.ts';
import { runOperatorCommand } from './command-line/run-command.ts';

await runOperatorCommand('follow-ups', followUpsUsage, followUpsCommand);
