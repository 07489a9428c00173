import { expect } from 'chai';
import type { RequestFailure } from '../src/api-client/request.ts';
import { submissionHint, tryAgain } from '../src/form/retry-hint.ts';

const now = new Date(2026, 10, 21, 23, 50);

describe('the time of the next attempt', () => {
  it('is given in whole minutes and by the clock, even past midnight', () => {
    expect(tryAgain(420, now)).to.equal('Please try again in 7 minutes, at 23:57.');
    expect(tryAgain(421, now)).to.equal('Please try again in 8 minutes, at 23:58.');
    expect(tryAgain(700, now)).to.equal('Please try again in 12 minutes, at 00:02.');
    expect(tryAgain(60, now)).to.equal('Please try again in 1 minute, at 23:51.');
    expect(tryAgain(0, now)).to.equal('Please try again in 1 minute, at 23:51.');
  });

  it('is not given if the server states no time', () => {
    expect(tryAgain(undefined, now)).to.equal('Please try again later.');
  });
});

describe('the hint under a public form', () => {
  const hint = (failure: Partial<RequestFailure>) =>
    submissionHint({ code: 'refused', message: '', fieldErrors: [], ...failure }, now);

  it('states when to try again after too many messages', () => {
    expect(hint({ status: 429, retryAfter: 420 })).to.equal(
      'Too many messages from your network. Your answers stay in the form: send them again in 7 minutes, at 23:57.',
    );
    expect(hint({ status: 429 })).to.equal(
      'Too many messages from your network. Your answers stay in the form: send them again later.',
    );
  });

  it('explains that the values together are too long', () => {
    expect(hint({ status: 413 })).to.equal(
      'Your answers are too long to be sent together. Please shorten the longest ones.',
    );
  });

  it('is not shown for any other failure', () => {
    expect(hint({ status: 422 })).to.equal(undefined);
    expect(hint({ status: 503, retryAfter: 5 })).to.equal(undefined);
    expect(hint({ code: 'unreachable' })).to.equal(undefined);
  });
});
