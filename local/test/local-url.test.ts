import { expect } from 'chai';
import { localUrl } from '../src/local-url.ts';

describe('the address of a local server', () => {
  for (const [host, url] of [
    ['localhost', 'http://localhost:8080'],
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::', 'http://[::1]:8080'],
  ] as const) {
    it(`is ${url} when it listens on ${host}`, () => {
      expect(localUrl('http', host, 8080)).to.equal(url);
    });
  }
});
