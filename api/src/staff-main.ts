import { runOperatorCommand } from './operator/operator-command.ts';
import { askPassword } from './staff/ask-password.ts';
import { staffCommand, staffUsage } from './staff/operator.ts';

/** The operator's command on the staff's accounts. */
await runOperatorCommand('staff', staffUsage, (words) => {
  const work = staffCommand(words);
  return (console) => work({ ...console, askPassword: (check) => askPassword(process.stdin, process.stderr, check) });
});
