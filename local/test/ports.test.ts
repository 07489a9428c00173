import { createServer } from 'node:net';
import { freePort, PortTakenError, requirePort } from '@dune-tide/local/ports';
import { expect } from 'chai';

const host = '127.0.0.1';

describe('a free port', () => {
  it('is a different one for each of many concurrent calls', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort(0, host)));
    expect(new Set(ports).size).to.equal(50);
  });

  it('is outside the range that Linux assigns to outgoing connections', async () => {
    for (const port of await Promise.all(Array.from({ length: 50 }, () => freePort(0, host))))
      expect(port).to.be.within(20_000, 31_999);
  });

  it('is the wanted one unless that is taken', async () => {
    const wanted = await freePort(0, host);
    expect(await freePort(wanted, host)).to.equal(wanted);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(wanted, host, resolve));
    try {
      expect(await freePort(wanted, host)).to.not.equal(wanted);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('a port that is taken', () => {
  it('is reported together with a free port that no other setting uses', async () => {
    const wanted = await freePort(0, host);
    const servers = await Promise.all(
      [wanted, wanted + 2].map(async (port) => {
        const server = createServer();
        await new Promise<void>((resolve) => server.listen(port, host, resolve));
        return server;
      }),
    );
    try {
      const refusal: unknown = await requirePort(wanted, host, 'PORT', [wanted, wanted + 1]).catch(
        (error: unknown) => error,
      );
      expect(refusal).to.be.instanceOf(PortTakenError);
      const [, port] =
        /^Port \d+ is taken\. Set another one with PORT, e\.g\. make run PORT=(\d+)$/.exec(
          (refusal as Error).message,
        ) ?? [];
      expect(Number(port)).to.be.above(wanted + 2);
      await requirePort(Number(port), host, 'PORT', []);
    } finally {
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    }
  });
});
