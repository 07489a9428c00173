import { expect } from 'chai';
import { byServerClock, measureServerClock, serverNow } from '../src/api-client/server-clock.ts';

const hour = 3_600_000;

describe('the time by the server’s clock', () => {
  const realNow = Date.now;
  /** The server's clock, and how far this computer's is ahead of it, in milliseconds. */
  let [time, ahead] = [Date.parse('2026-03-07T12:00:00.400Z'), 0];
  before(() => {
    Date.now = () => time + ahead;
  });
  after(() => {
    ahead = 0;
    respond();
    Date.now = realNow;
  });

  /** A request that takes as long to arrive as its response does, in milliseconds. */
  function respond(travel = 20): void {
    const sentAt = Date.now();
    time += travel;
    const date = new Date(time).toUTCString();
    time += travel;
    measureServerClock(date, sentAt);
  }

  it('is that of this computer if its clock may be right', () => {
    for (const skew of [0, 300, -300]) {
      ahead = skew;
      respond();
      expect(byServerClock(0), `${skew}`).to.equal(0);
    }
  });

  for (const skew of [3 * hour, 26 * hour, -5 * hour]) {
    it(`is right within a second if this computer’s is ${skew / hour} h ahead, and does not jump`, () => {
      ahead = skew;
      respond();
      expect(serverNow()).to.be.closeTo(time, 1_000);
      let last = serverNow();
      let corrections = 0;
      for (let each = 0; each < 40; each++) {
        const waited = 1_000 + each * 37;
        time += waited;
        const travel = each % 5 === 0 ? 2_000 : 15;
        respond(travel);
        corrections += Math.abs(serverNow() - last - waited - 2 * travel);
        last = serverNow();
      }
      expect(corrections, 'it only comes closer').to.be.at.most(1_000);
      expect(serverNow()).to.be.closeTo(time, 100);
    });
  }

  it('follows when one of the clocks is set, and ignores a response without a date', () => {
    ahead = -9 * hour;
    respond();
    expect(serverNow()).to.be.closeTo(time, 1_000);
    measureServerClock(null, Date.now());
    measureServerClock('yesterday', Date.now());
    expect(serverNow()).to.be.closeTo(time, 1_000);
    ahead = 0;
    respond();
    expect(serverNow()).to.be.closeTo(time, 1_000);
  });

  it('ignores a request during which this computer’s clock was set back', () => {
    const before = byServerClock(0);
    measureServerClock(new Date(time).toUTCString(), Date.now() + hour);
    expect(byServerClock(0)).to.equal(before);
  });
});
