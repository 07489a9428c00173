import { createServer } from 'node:net';
import { freePort, PortTakenError, requirePort } from '@dune-tide/local/ports';
import { expect } from 'chai';

const host = '127.0.0.1';

describe('A free port', () => {
  it('is another one each time, also when many are asked for at once', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort(0, host)));
    expect(new Set(ports).size).to.equal(50);
  });

  it('is none that Linux may give to a connection before a server listens there', async () => {
    for (const port of await Promise.all(Array.from({ length: 50 }, () => freePort(0, host))))
      expect(port).to.be.within(20_000, 31_999);
  });

  it('is the wanted one, unless that is taken', async () => {
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

describe('A port that is taken', () => {
  it('is told with one that is free, and none of those that are given for something else', async () => {
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
