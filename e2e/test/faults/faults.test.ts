import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allFaults } from '@dune-tide/e2e/faults/all-faults';
import { runFault } from '@dune-tide/e2e/faults/run-fault';
import { expect } from 'chai';

describe('a fault loses and duplicates nothing', function () {
  let cacheDirectory: string;
  before(async () => {
    cacheDirectory = await mkdtemp(join(tmpdir(), 'faults-cache-'));
  });
  after(() => rm(cacheDirectory, { recursive: true, force: true }));

  for (const fault of allFaults) {
    for (const backend of fault.inTests ?? []) {
      it(`${fault.name}, queue on ${backend}`, async () => {
        const { wrong } = await runFault(fault, backend, cacheDirectory);
        expect(wrong).to.deep.equal([]);
      });
    }
  }
});
