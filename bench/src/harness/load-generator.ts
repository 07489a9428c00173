import type { storedLeadResponse } from '@dune-tide/domain/responses/lead';
import type { Json } from '@dune-tide/domain/responses/schema';
import { Client } from 'undici';
import { respondToCalls } from './calls.ts';
import type { LoadOptions, LoadResult } from './load.ts';
import { percentile } from './statistics.ts';

/**
 * Sends a load from its own process, so that it does not delay the measurement. Unlike most load tools, undici measures
 * fractions of a millisecond, shows each response, and uses little of the processor time that is compared.
 */

const timeLimitMs = 30_000;

respondToCalls((options) => send(options as LoadOptions));

async function send(options: LoadOptions): Promise<LoadResult> {
  const { connections, keepsIds = false } = options;
  const requests = options.requests ?? Number.POSITIVE_INFINITY;
  const latencies: number[] = [];
  const ids: string[] = [];

  let sent = 0;
  let unexpected: string | undefined;
  const started = performance.now();
  const deadline = started + (options.seconds ?? Number.POSITIVE_INFINITY) * 1_000;

  const visit = async (client: Client): Promise<void> => {
    while (sent < requests && performance.now() < deadline && unexpected === undefined) {
      const visitor = options.firstVisitor + sent++;
      const since = performance.now();
      const { status, body } = await post(client, options, visitor);
      latencies.push(performance.now() - since);
      if (status < 200 || status > 299) unexpected = `${status} ${body}`;
      else if (keepsIds) ids.push((JSON.parse(body) as Json<typeof storedLeadResponse>).id);
    }
  };

  const clients = Array.from(
    { length: connections },
    () => new Client(options.url, { pipelining: 1, headersTimeout: timeLimitMs, bodyTimeout: timeLimitMs }),
  );
  try {
    await Promise.all(clients.map(visit));
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
  if (unexpected !== undefined) throw new Error(`The server returned ${unexpected}`);
  return {
    requests: latencies.length,
    sent,
    seconds: (performance.now() - started) / 1_000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    ids,
  };
}

/**
 * Posts the data of the site's form, each time from the address of another visitor behind the reverse proxy.
 * Consecutive visitors are in different networks, because networks have limits too.
 */
function post(
  client: Client,
  { path, body, headers, run }: LoadOptions,
  visitor: number,
): Promise<{ status: number; body: string }> {
  const address = `10.${visitor & 255}.${(visitor >> 8) & 255}.${(visitor >> 16) & 255}`;
  return new Promise((resolve, reject) => {
    let status = 0;
    let response = '';
    client.dispatch(
      {
        path,
        method: 'POST',
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Idempotency-Key': `${run}-${visitor}`,
          'X-Forwarded-For': address,
        },
        body: body.replaceAll('<visitor>', String(visitor)),
      },
      {
        // undici's older kind of handler. With the newer kind it parses every header, so servers that send more headers
        // would seem slower.
        onConnect() {},
        onHeaders(code) {
          status = code;
          return true;
        },
        onData(chunk) {
          response += chunk.toString();
          return true;
        },
        onComplete() {
          resolve({ status, body: response });
        },
        onError: reject,
      },
    );
  });
}
