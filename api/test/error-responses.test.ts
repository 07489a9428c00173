import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connectDatabase, DatabaseUnavailableError } from '@dune-tide/db/connection';
import { PasswordQueueFullError } from '@dune-tide/platform/accounts/password';
import { FormError, UnstorableTextError } from '@dune-tide/platform/form-reader';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import Koa from 'koa';
import type { RequestState } from '../src/http/context.ts';
import { errorResponses } from '../src/http/errors/error-responses.ts';

describe('an error in a call', () => {
  const responseTo = (error: Error) => responseOf(() => Promise.reject(error));

  /** @returns the response to a call that throws, and the messages of the logged lines */
  async function responseOf(call: () => Promise<unknown>) {
    const { logger, lines } = memoryLogger();
    const koa = new Koa<RequestState>();
    koa.use(errorResponses(logger));
    koa.use(async () => {
      await call();
    });
    const server = koa.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return { response, body: await response.json(), logged: lines().map(({ msg }) => msg) };
    } finally {
      server.close();
    }
  }

  for (const [name, error] of [
    ['a full queue of passwords', new PasswordQueueFullError('Please try again.')],
    ['an unavailable database', new DatabaseUnavailableError(new Error('gone'))],
  ] as const) {
    it(`is 503 with Retry-After for ${name}`, async () => {
      const { response } = await responseTo(error);
      expect(response.status).to.equal(503);
      expect(response.headers.get('Retry-After')).to.equal('5');
    });
  }

  it('is 503 for any statement that the database does not run', async () => {
    const database = connectDatabase({ url: 'postgres://a:b@127.0.0.1:1/c', applicationName: 'test', poolSize: 1 });
    try {
      for (const call of [
        async () => database('leads').first('id'),
        async () => database.raw('select 1'),
        () => database.transaction(async (transaction) => transaction('leads').first('id')),
      ]) {
        expect((await responseOf(call)).response.status).to.equal(503);
      }
    } finally {
      await database.destroy();
    }
  });

  it('is logged as a refusal for a full queue of passwords, as a failure for an unavailable database', async () => {
    expect((await responseTo(new PasswordQueueFullError('Full'))).logged).to.deep.equal(['request refused']);
    expect((await responseTo(new DatabaseUnavailableError(new Error('gone')))).logged).to.deep.equal([
      'request failed',
    ]);
  });

  it('is 422 with the messages of an invalid form', async () => {
    const errors = [{ field: 'email', message: 'Invalid email address' }];
    const { response, body } = await responseTo(new FormError(errors));
    expect(response.status).to.equal(422);
    expect(body).to.deep.include({ errors });
  });

  it('is 400 for text that cannot be stored', async () => {
    expect((await responseTo(new UnstorableTextError('Not storable.'))).response.status).to.equal(400);
  });
});
