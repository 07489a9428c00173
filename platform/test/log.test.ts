import { linesOf } from '@dune-tide/domain/lines';
import { lineBreaks } from '@dune-tide/domain/test/line-breaks';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { memoryLogger } from '@dune-tide/testkit/log';
import { startTestSmtp } from '@dune-tide/testkit/smtp';
import { startTestRedis } from '@dune-tide/testkit/redis';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createTransport } from 'nodemailer';
import { createLogger, describeError } from '../src/log.ts';

const visitor = 'noura@example.com';

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.fail('resolved'),
    (error: unknown) => (error instanceof Error ? error : expect.fail('not an error')),
  );
}

describe('describeError', () => {
  const test = withTestDatabase();

  it('keeps the code and the constraint of a rejected row, but not its values', async () => {
    const error = await failure(
      test()
        .database('leads')
        .insert({
          id: '0198c2f4-0000-7000-8000-000000000001',
          kind: 'newsletter',
          email: visitor,
          answers: JSON.stringify({ message: `Call ${visitor}` }),
        }),
    );
    expect(error).to.have.property('detail').that.includes(visitor);

    const described = describeError(error);
    expect(described).to.include({ name: 'error', code: '23514', constraint: 'leads_kind_known' });
    expect(JSON.stringify(described)).to.not.include(visitor).and.not.include('newsletter');
  });

  it('keeps the code of a rejected value, but not the value', async () => {
    const error = await failure(test().database.raw('select ?::uuid', [visitor]));
    expect(error.message).to.include(visitor);

    const described = describeError(error);
    expect(described).to.include({ code: '22P02' });
    expect(JSON.stringify(described)).to.not.include(visitor);
  });

  it("keeps the code of a rejected email, but not the address or the server's response", async () => {
    const smtp = await startTestSmtp({
      onRecipient: (address) => ({ code: 550, text: `<${address}> is not known here` }),
    });
    const transport = createTransport(smtp.url);
    try {
      const error = await failure(transport.sendMail({ from: 'studio@example.com', to: visitor, text: 'Hello' }));
      expect(error).to.have.property('response').that.includes(visitor);

      const described = describeError(error);
      expect(described).to.include({ code: 'EENVELOPE' });
      expect(JSON.stringify(described)).to.not.include(visitor).and.not.include('known here');
    } finally {
      transport.close();
      await smtp.close();
    }
  });

  it('keeps the code of a Redis error, but not its message', async () => {
    const server = await startTestRedis();
    const redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
    try {
      await redis.set(visitor, 'text');
      const wrongType = describeError(await failure(redis.lpush(visitor, 'more')));
      expect(wrongType).to.include({ name: 'ReplyError', code: 'WRONGTYPE' });
      const unknown = describeError(await failure(redis.call('NOTHING', visitor)));
      expect(unknown).to.include({ code: 'ERR' });
      expect(JSON.stringify([wrongType, unknown])).to.not.include(visitor);
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });

  it('describes the cause of an error in the same way', () => {
    const cause = Object.assign(new Error(`Key (email)=(${visitor})`), { code: '23505', constraint: 'some_key' });
    const described = describeError(new Error(`For ${visitor}`, { cause }));
    expect(described['cause']).to.include({ name: 'Error', code: '23505', constraint: 'some_key' });
    expect(JSON.stringify(described)).to.not.include(visitor);
  });

  it('keeps the locations of a stack, but not the message above them', () => {
    const { stack } = describeError(
      new Error(`First line\n    at ${visitor}\nat ${visitor}:1:2\r    at ${visitor}:1:2\n    at ${visitor}:1:2`),
    );
    expect(stack).to.be.an('array').with.length.within(1, 8);
    expect((stack as string[]).some((frame) => frame.includes('log.test.ts'))).to.equal(true);
    expect(JSON.stringify(stack)).to.not.include(visitor);
  });

  it('keeps the message of an error in code, such as a TypeError', () => {
    expect(describeError(new TypeError('x is not a function'))).to.include({
      name: 'TypeError',
      message: 'x is not a function',
    });
  });

  it('returns only the type of a thrown value that is not an error', () => {
    for (const thrown of [visitor, { email: visitor }, undefined, null, 7]) {
      expect(describeError(thrown)).to.deep.equal({ name: typeof thrown });
    }
  });
});

describe('the log', () => {
  it('contains one JSON object per line, with level, time, process and message', () => {
    const { logger, lines } = memoryLogger();
    logger.info({ leadId: 'a' }, 'stored');
    logger.warn('two\nlines');
    expect(lines()).to.have.length(2);
    expect(lines()[0]).to.include({ level: 'info', process: 'test', pid: process.pid, leadId: 'a', msg: 'stored' });
    expect(lines()[0]?.['time']).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(lines()[1]).to.include({ level: 'warn', msg: 'two\nlines' });
  });

  it('has no line break of any kind within a line', () => {
    const written: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void written.push(line) });
    const typed = `a${lineBreaks.join('b')}c\u009b\u007f`;
    logger.info({ typed }, typed);
    expect(written).to.have.length(1);
    expect(linesOf(written[0] ?? '')).to.have.length(2);
    expect(written[0]).to.not.match(/\p{Cc}(?!$)/u);
    expect(JSON.parse(written[0] ?? '')).to.include({ typed, msg: typed });
  });

  it('contains the same description of an error, whether the caller has described it or not', () => {
    const { logger, lines } = memoryLogger();
    const error = Object.assign(new Error(`For ${visitor}`), { code: 'ECONNREFUSED' });
    logger.error({ error }, 'raw');
    logger.error({ error: describeError(error) }, 'described');
    expect(lines()[0]?.['error']).to.include({ name: 'Error', code: 'ECONNREFUSED' });
    expect(lines()[1]?.['error']).to.deep.equal(lines()[0]?.['error']);
    expect(JSON.stringify(lines())).to.not.include(visitor);
  });
});
