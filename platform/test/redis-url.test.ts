import { expect } from 'chai';
import { readRedisUrl } from '../src/redis-url.ts';

describe('a Redis URL with several servers', () => {
  for (const [credentials, username, password] of [
    ['user:secret', 'user', 'secret'],
    ['user:pa:ss', 'user', 'pa:ss'],
    [':p%40ss', undefined, 'p@ss'],
    ['user', 'user', undefined],
  ] as const) {
    it(`is parsed with the credentials ${credentials}`, () => {
      const address = readRedisUrl(`redis+sentinel://${credentials}@a.example:26379,[::1]/master`);
      expect(address).to.deep.equal({
        kind: 'sentinel',
        name: 'master',
        nodes: [
          { host: 'a.example', port: 26_379 },
          { host: '::1', port: 26_379 },
        ],
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
        usesTls: false,
      });
    });
  }
});
