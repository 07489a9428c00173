import { spawn } from 'node:child_process';
const dir = process.cwd();
const { runWithServices } = await import(dir + '/e2e/src/checks/run-with-services.ts');
await runWithServices(async () => {
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...process.argv.slice(2)], { stdio: 'inherit' });
  return await new Promise((r) => child.once('close', (c) => r(c === 0)));
});
