import { expect } from 'chai';
import { loginHint } from '../src/features/auth/login-hint.ts';
import type { RequestFailure } from '../src/api-client/request.ts';

const now = new Date(2026, 10, 21, 23, 50);

const hint = (failure: Partial<RequestFailure>) =>
  loginHint({ code: 'refused', message: '', fieldErrors: [], ...failure }, now);

describe('the hint under the sign-in', () => {
  it('states when to try again after too many attempts', () => {
    expect(hint({ status: 429, retryAfter: 700 })).to.equal(
      'Too many attempts. Please try again in 12 minutes, at 00:02.',
    );
    expect(hint({ status: 429 })).to.equal('Too many attempts. Please try again later.');
  });

  it('reports an error of the server', () => {
    const text = 'The server did not respond. Please try again in a moment.';
    expect(hint({ code: 'unreachable' })).to.equal(text);
    expect(hint({ status: 503, retryAfter: 5 })).to.equal(text);
  });

  it('reports a wrong username or password without naming which of them', () => {
    expect(hint({ status: 401 })).to.equal('The username or the password is wrong.');
  });

  it('reports any other refusal', () => {
    expect(hint({ status: 403 })).to.equal('You could not be signed in. Please try again.');
  });
});
