import { runOperatorCommand } from './operator/operator-command.ts';
import { askPassword } from './staff/ask-password.ts';
import { runStaffCommand, staffUsage } from './staff/operator.ts';

/** The operator's command on the staff's accounts. */
await runOperatorCommand('staff', staffUsage, (words, console) =>
  runStaffCommand(words, {
    ...console,
    askPassword: () => askPassword(process.stdin, process.stderr),
  }),
);
