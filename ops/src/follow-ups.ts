import { followUpsCommand, followUpsUsage } from './commands/follow-ups.ts';
import { runOperatorCommand } from './command-line/run-command.ts';

/** The operator's command on the follow-ups. */
await runOperatorCommand('follow-ups', followUpsUsage, followUpsCommand);
