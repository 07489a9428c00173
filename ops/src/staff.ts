import { runOperatorCommand } from './command-line/run-command.ts';
import { askPassword } from './command-line/ask-password.ts';
import { staffCommand, staffUsage } from './commands/staff.ts';

await runOperatorCommand('staff', staffUsage, (words) => {
  const work = staffCommand(words);
  return (console) => work({ ...console, askPassword: (check) => askPassword(process.stdin, process.stderr, check) });
});
