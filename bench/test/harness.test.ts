import { frontConfiguration } from '@dune-tide/bench/harness/front';
import { backendGoal, loneGoal } from '@dune-tide/bench/harness/intake-goals';
import { table } from '@dune-tide/bench/harness/report';
import { median, percentile, ratios, spread } from '@dune-tide/bench/harness/statistics';
import { expect } from 'chai';

describe('the statistics of benchmarks', () => {
  it('use the middle value, or the mean of the two middle values, as the median', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([9, 1, 5, 7])).to.equal(6);
  });

  it('return the value that a share of all values does not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(hundred, 0.5)).to.equal(50);
    expect(percentile(hundred, 0.99)).to.equal(99);
    expect(percentile(hundred, 1)).to.equal(100);
    expect(percentile([7], 0.99)).to.equal(7);
  });

  it('compare values of the same round, because a slow round is slow for both', () => {
    const found = spread(ratios([200, 100, 300], [100, 50, 200]));
    expect(found).to.deep.equal({ median: 2, min: 1.5, max: 2 });
  });

  it('reject an empty list of values', () => {
    expect(() => median([])).to.throw(RangeError);
    expect(() => percentile([], 0.5)).to.throw(RangeError);
    expect(() => ratios([1], [])).to.throw(RangeError);
  });
});

describe('the tables of benchmarks', () => {
  it('are aligned like those of the format check', () => {
    expect(table(['', 'what'], [['✓', 'p99, Redis']])).to.deep.equal([
      '|     | what       |',
      '| --- | ---------- |',
      '| ✓   | p99, Redis |',
    ]);
  });
});

describe('the goals of the intake', () => {
  it('allow 0.65 of the usual median for one connection', () => {
    expect(loneGoal('the product', [6.5, 6.5, 9], [10, 10, 10])).to.include({
      found: '0.65 (0.65–0.90) ×',
      isMet: true,
    });
    expect(loneGoal('the product', [6.6], [10]).isMet).to.equal(false);
  });

  it('allow a tenth above and below PostgreSQL for Redis', () => {
    for (const [rate, isMet] of [
      [89, false],
      [90, true],
      [110, true],
      [111, false],
    ] as const) {
      expect(backendGoal([rate], [100]).isMet, String(rate)).to.equal(isMet);
    }
  });
});

describe('the address in front of several processes', () => {
  it('is HAProxy with the deployed configuration, in front of local processes', async () => {
    const text = await frontConfiguration({ port: 9000, healthPort: 9001, apiPorts: [9002, 9003] });
    expect(text.match(/^ +(?:bind|server|server-template|default-server) .*$/gm)).to.deep.equal([
      '  bind 127.0.0.1:9000',
      '  default-server inter 2s fall 2 rise 1',
      '  server api-1 127.0.0.1:9002 check',
      '  server api-2 127.0.0.1:9003 check',
      '  bind 127.0.0.1:9001',
    ]);
    expect(text).to.not.match(/docker|:80/);
  });
});
