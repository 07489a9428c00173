import { runOperatorCommand } from './operator/operator-command.ts';
import { askPassword } from './staff/ask-password.ts';
import { runStaffCommand } from './staff/operator.ts';

/** The operator's command on the staff's accounts. */
await runOperatorCommand('staff', (database, say) =>
  runStaffCommand(process.argv.slice(2), {
    database,
    say,
    askPassword: () => askPassword(process.stdin, process.stderr),
  }),
);
