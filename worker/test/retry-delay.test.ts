import { expect } from 'chai';
import { maxAttempts, laneDelaySeconds, outageDelaySeconds, retryDelaySeconds } from '../src/delivery/retry-delay.ts';

const least = (): number => 0;
/** Math.random is always below 1. */
const most = (): number => 1 - Number.EPSILON;

const hours = 60 * 60;

/** The longest delay after a number of attempts, in seconds. */
const longest: readonly (readonly [attempts: number, seconds: number])[] = [
  [1, 15],
  [2, 30],
  [3, 60],
  [4, 120],
  [5, 240],
  [10, 7_680],
  [11, 3 * hours],
  [12, 3 * hours],
  [maxAttempts, 3 * hours],
  [2_000, 3 * hours],
];

describe('the delay before the next attempt', () => {
  for (const [attempts, seconds] of longest) {
    it(`is between half and all of ${seconds} s after ${attempts} attempts`, () => {
      expect(retryDelaySeconds(attempts, least)).to.equal(seconds / 2);
      expect(retryDelaySeconds(attempts, most)).to.be.closeTo(seconds, 0.001);
      const drawn = retryDelaySeconds(attempts);
      expect(drawn).to.be.within(seconds / 2, seconds);
    });
  }

  it('adds up to four to five days (RFC 5321 §4.5.4.1)', () => {
    let seconds = 0;
    for (let attempts = 1; attempts < maxAttempts; attempts++) seconds += retryDelaySeconds(attempts, () => 0.5);
    expect(seconds / (24 * hours)).to.be.within(4, 5);
  });

  it('is between 2.5 and 5 s in an outage, and between 15 and 30 s while the retry lane is full', () => {
    expect(outageDelaySeconds(least)).to.equal(2.5);
    expect(outageDelaySeconds(most)).to.be.closeTo(5, 0.001);
    expect(laneDelaySeconds(least)).to.equal(15);
    expect(laneDelaySeconds(most)).to.be.closeTo(30, 0.001);
  });

  it('differs between emails', () => {
    expect(new Set(Array.from({ length: 20 }, () => retryDelaySeconds(5))).size).to.be.above(10);
  });
});
