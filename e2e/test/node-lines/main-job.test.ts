import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { postLead } from '@dune-tide/testkit/post-lead';
import { addAccount } from '@dune-tide/testkit/staff-accounts';
import type { RunningProcess } from '@dune-tide/testkit/processes';
import { hangLimitSeconds, until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import { prepareSystem, type RunningSystem } from '../../src/faults/running-system.ts';

const folder = new URL('../../node-lines/', import.meta.url);
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8')) as {
  readonly optionalDependencies: Readonly<Record<string, string>>;
};

/** A Node.js version that runs the built processes. Default executable: the one that runs the tests. */
interface NodeLine {
  /** Prefix of the version, such as "v26.". */
  readonly version: string;
  readonly executable?: string;
}

const lines: NodeLine[] = [{ version: process.version }];
if (process.platform === 'linux' && process.arch === 'x64') {
  for (const name of Object.keys(optionalDependencies)) {
    const executable = fileURLToPath(new URL(`node_modules/${name}/bin/node`, folder));
    lines.push({ version: name.replace('node-', 'v') + '.', executable });
  }
} else {
  process.stderr.write(`node-lines: npm has other lines of Node.js for linux-x64 only; checked ${process.version}.\n`);
}

const request = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { ...init, signal: AbortSignal.timeout(hangLimitSeconds * 1000) });

for (const { version, executable } of lines) {
  describe(`the built API and worker on Node.js ${version}`, () => {
    let system: RunningSystem;
    let api: RunningProcess & { readonly url: string };
    let worker: RunningProcess;

    before(async () => {
      system = await prepareSystem({ executable });
      [api, worker] = await Promise.all([system.startApi(), system.startWorker()]);
    });
    after(() => system.stop());

    it('log this version', async () => {
      for (const { output } of [api, worker]) await until(version, () => output().includes(`"node":"${version}`));
    });

    it('return 201 for a portfolio request and email the PDF', async () => {
      const email = 'noura@example.com';
      const { status } = await postLead(api.url, 'portfolio-lead', { email, source: 'portfolio_view' });
      expect(status).to.equal(201);
      const mail = await until('the portfolio is emailed', () => system.smtp.accepted.find(({ to }) => to === email));
      const { attachments } = await system.smtp.parse(mail);
      expect(attachments.map(({ mimeType }) => mimeType)).to.deep.equal(['application/pdf']);
      const content = attachments[0]?.content as ArrayBuffer;
      expect(Buffer.from(content).subarray(0, 5).toString('latin1')).to.equal('%PDF-');
    });

    it('sign staff in', async () => {
      const { username, password } = await addAccount(system.database);
      const signedIn = await request(`${api.url}/api/admin/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username, password }),
      });
      expect(signedIn.status).to.equal(200);
      const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0]);
      const session = await request(`${api.url}/api/admin/session`, { headers: { Cookie: cookie.join('; ') } });
      expect(session.status).to.equal(200);
      expect(await session.json()).to.include({ username });
    });
  });
}
