import { createServer } from 'node:http';
import pg from 'pg';
import { poolSize, required, serve } from './server.ts';

/*
 * The limit: Node and PostgreSQL only store the lead, by one prepared single-row INSERT per request with its
 * own commit.
 */

const pool = new pg.Pool({ connectionString: required('DATABASE_URL'), max: poolSize });

await pool.query(`
  create table if not exists leads (
    id bigint generated always as identity primary key,
    kind text not null,
    email text not null,
    answers jsonb not null,
    created_at timestamptz not null default now()
  )
`);

async function store(text: string): Promise<string> {
  const fields = JSON.parse(text) as { email: string };
  const { rows } = await pool.query<{ id: string }>({
    name: 'lead',
    text: 'insert into leads (kind, email, answers) values ($1, $2, $3) returning id',
    values: ['contact', fields.email, fields],
  });
  return rows[0]?.id ?? '';
}

serve(
  createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      store(Buffer.concat(chunks).toString()).then(
        (id) => {
          response.statusCode = 201;
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ id }));
        },
        (error: unknown) => {
          response.statusCode = 500;
          response.end(String(error));
        },
      );
    });
  }),
);
