import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allFaults } from '@dune-tide/e2e/faults/all-faults';
import { runFault } from '@dune-tide/e2e/faults/run-fault';
import { publicUrl } from '@dune-tide/e2e/faults/running-system';
import { storeSmallPortfolio } from '@dune-tide/testkit/portfolio';
import { expect } from 'chai';

describe('a fault loses and duplicates nothing', function () {
  let cacheDirectory: string;
  before(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'faults-cache-'));
    await storeSmallPortfolio(cacheDirectory, publicUrl);
  });
  after(() => rm(cacheDirectory, { recursive: true, force: true }));

  for (const fault of allFaults) {
    const { name, inTests: backend } = fault;
    if (backend === undefined) continue;
    it(`${name}, queue on ${backend}`, async () => {
      const { wrong } = await runFault(fault, backend, cacheDirectory);
      expect(wrong).to.deep.equal([]);
    });
  }
});
