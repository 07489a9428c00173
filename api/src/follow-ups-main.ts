import { followUpsCommand, followUpsUsage } from './follow-ups/operator.ts';
import { runOperatorCommand } from './operator/operator-command.ts';

/** The operator's command on the follow-ups. */
await runOperatorCommand('follow-ups', followUpsUsage, followUpsCommand);
