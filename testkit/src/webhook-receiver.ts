import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { WebhookBody } from '@dune-tide/domain/webhooks';

/** A request that a receiver got. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was received, for the signature. */
  readonly raw: string;
  readonly body: WebhookBody;
}

export interface TestReceiver {
  readonly url: string;
  readonly received: ReceivedWebhook[];
  /** Responds to each request; 204 by default. */
  respond: (response: ServerResponse, webhook: ReceivedWebhook) => unknown;
  close(): Promise<void>;
}

/** Secrets of tests. */
export const [secret, otherSecret] = [7, 8].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
];

/**
 * Starts a receiver of webhooks.
 * @param port - a free one by default
 * @param tls - a key and its certificate, for https
 */
export async function startReceiver(
  port = 0,
  tls?: { readonly key: string; readonly cert: string },
): Promise<TestReceiver> {
  const sockets = new Set<Socket>();
  const received: ReceivedWebhook[] = [];
  const server = tls ? createSecureServer(tls) : createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    void text(request).then((raw) => {
      const id = String(request.headers['webhook-id']);
      const webhook = { id, headers: request.headers, raw, body: JSON.parse(raw) as ReceivedWebhook['body'] };
      received.push(webhook);
      return receiver.respond(response, webhook);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: TestReceiver = {
    url: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    respond: (response) => response.writeHead(204).end(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return receiver;
}

/** A certificate for localhost that only tests trust, with its key. It is valid for a hundred years. */
export const testCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJpQEfChqGMTwz1RU
TlHIKFqqGDCa7DyuafAMIlhX3aChRANCAATUH36EuTbQlSWcjWEs2dkOh4hgi/yK
1q/PE+EHenlKF7SW/bFmC2jKEhTFeM/epGlAEizBjAUE1mY21cpmsLSV
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUP2DM3s/s5/50LgFLYx4jAgPYb/4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNTIyNTc1M1oYDzIxMjYxMTAx
MjI1NzUzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATUH36EuTbQlSWcjWEs2dkOh4hgi/yK1q/PE+EHenlKF7SW/bFmC2jK
EhTFeM/epGlAEizBjAUE1mY21cpmsLSVo34wfDAdBgNVHQ4EFgQU+1lO2GTXX6WD
vzm8B9YleLD4pg4wHwYDVR0jBBgwFoAU+1lO2GTXX6WDvzm8B9YleLD4pg4wDwYD
VR0TAQH/BAUwAwEB/zApBgNVHREEIjAggglsb2NhbGhvc3SHBH8AAAGCDWhvb2tz
LmV4YW1wbGUwCgYIKoZIzj0EAwIDSAAwRQIgd7Pnb8Wnmxzy1rKhv7o+NU/LIe9a
lej9TD3kmtl6fvECIQDmE3gqw1EJw+gohYJaQWdv9w7nGYTLtjlVBi1rteKu5g==
-----END CERTIFICATE-----
`,
};
