import { createServer } from 'node:http';
import bodyParser from '@koa/bodyparser';
import { Ajv } from 'ajv';
import { createPostgresBackend, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import createKnex from 'knex';
import Koa from 'koa';
import { poolSize, required, serve } from './server.ts';

/*
 * The usual way: Koa, a body parser, ajv, a Knex transaction with two inserts, and a job that the visitor waits for. It
 * has neither rate limits nor a log, and a crash before the job is added loses the email.
 */

interface ContactMessage {
  readonly email: string;
}

const databaseUrl = required('DATABASE_URL');
const knex = createKnex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: poolSize } });

await knex.raw(`
  create table if not exists leads (
    id bigint generated always as identity primary key,
    kind text not null,
    email text not null,
    answers jsonb not null,
    created_at timestamptz not null default now()
  )
`);
await knex.raw(`
  create table if not exists follow_ups (
    id bigint generated always as identity primary key,
    lead_id bigint not null references leads,
    kind text not null,
    recipient text not null,
    state text not null default 'pending',
    created_at timestamptz not null default now()
  )
`);
await knex.raw('create index if not exists leads_by_kind on leads (kind, created_at)');
await knex.raw('create index if not exists follow_ups_by_lead on follow_ups (lead_id)');

const redisUrl = process.env['REDIS_URL'];
const name = 'follow-ups';
const queue: { add(name: string, data: unknown, options: object): Promise<unknown> } = redisUrl
  ? new Queue(name, { connection: new Redis(redisUrl, { maxRetriesPerRequest: null }) })
  : new Queue(name, { connection: { connectionString: databaseUrl, schema: 'bullmq' } }, createPostgresBackend);

const text = { type: 'string', minLength: 1, maxLength: 5_000 } as const;
const isContactMessage = new Ajv({ allErrors: true }).compile<ContactMessage>({
  type: 'object',
  properties: {
    firstName: text,
    lastName: text,
    email: { type: 'string', maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' },
    service: { enum: ['ugc', 'mvp', 'leadgen', 'all'] },
    message: text,
  },
  required: ['firstName', 'lastName', 'email', 'service', 'message'],
});

const koa = new Koa();
koa.use(bodyParser());
koa.use(async (ctx) => {
  const fields: unknown = ctx.request.body;
  if (!isContactMessage(fields)) {
    ctx.status = 422;
    ctx.body = { errors: isContactMessage.errors };
    return;
  }
  const { lead, followUp } = await knex.transaction(async (transaction) => {
    const [stored] = await transaction('leads')
      .insert({ kind: 'contact', email: fields.email, answers: fields })
      .returning<{ id: string }[]>('id');
    const [email] = await transaction('follow_ups')
      .insert({ lead_id: stored?.id, kind: 'acknowledgement', recipient: fields.email })
      .returning<{ id: string }[]>('id');
    return { lead: stored?.id, followUp: email?.id };
  });
  await queue.add('acknowledgement', { followUpId: followUp }, { attempts: 3, removeOnComplete: true });
  ctx.status = 201;
  ctx.body = { id: lead };
});

const handle = koa.callback();
serve(createServer((request, response) => void handle(request, response)));
