import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { string } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import type { BoardQueue } from '@dune-tide/platform/queue/board';
import { QueueUnavailableError } from '@dune-tide/platform/queue/connections';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { Context } from '../http/context.ts';
import { serviceUnavailable, Problem } from '../http/errors/problem.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

const { path: boardPath } = staffCalls.queueBoard;

/** Content security policy of the board. Its page loads its own scripts and styles, and sets inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers that are copied from the board's response. The API sets all others. */
const passedOn = ['content-type'];

/**
 * Declares the queue board. The board is read-only: staff retry and cancel a follow-up in the database, since its job is
 * only a wake-up.
 */
export function queueBoardRoutes({ boardQueue }: Pick<Services, 'boardQueue'>): Route[] {
  let board: Promise<Hono> | undefined;

  const handle = async (ctx: Context): Promise<void> => {
    board ??= createBoard(boardQueue).catch((error: unknown) => {
      board = undefined;
      throw error;
    });
    const { fetch } = await board.catch((error: unknown) => {
      if (!(error instanceof QueueUnavailableError)) throw error;
      throw queueAway();
    });
    // Job ids never contain U+0000, and PostgreSQL rejects it.
    if (ctx.path.includes('%00')) throw new Problem(404);
    // The API's router ignores case, but Hono's does not.
    const asked = boardPath + ctx.path.slice(boardPath.length) + ctx.search;
    const response = await fetch(new Request(new URL(asked, 'http://board')));
    // The board's own errors contain messages of the database driver, so they are replaced.
    if (response.status === 404) throw new Problem(404);
    if (response.status >= 500) throw await failureOf(boardQueue);
    if (response.status >= 400) throw new Problem(400);
    ctx.status = response.status;
    for (const name of passedOn) {
      const value = response.headers.get(name);
      if (value !== null) ctx.set(name, value);
    }
    ctx.set('Content-Security-Policy', contentSecurityPolicy);
    const body = Buffer.from(await response.arrayBuffer());
    ctx.body = ctx.response.is('html') ? withoutForeignLinks(body.toString()) : body;
  };

  return [
    route(staffCalls.queueBoard, {
      summary: 'Returns the page of the queue board',
      responses: { 200: { description: 'The page.', mediaType: 'text/html', schema: string } },
      handle,
    }),
    route(staffCalls.queueBoardFiles, {
      summary: 'Returns the files and data that the queue board loads',
      description:
        'The scripts, styles, images and data of the board, in the format of its library. `rest` may contain slashes.',
      responses: { 200: { description: 'The file or the data.', mediaType: '*/*', schema: {} } },
      problems: [400, 404],
      handle,
    }),
  ];
}

async function createBoard(boardQueue: BoardQueue): Promise<Hono> {
  const queue = await boardQueue.open();
  const serverAdapter = new HonoAdapter(serveStatic);
  createBullBoard({
    queues: [new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })],
    serverAdapter,
    options: {
      uiBasePath: dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')),
      uiConfig: {
        boardTitle: 'Follow-up queue',
        boardLogo: { path: '/favicon.svg', width: 28, height: 28 },
        hideDocsLink: true,
      },
    },
  });
  serverAdapter.setBasePath(boardPath);
  // The board's own links end in a slash.
  return new Hono({ strict: false }).route(boardPath, serverAdapter.registerPlugin());
}

/** Removes the links with which the board's page would load fonts from another site. */
function withoutForeignLinks(page: string): string {
  return page.replaceAll(/<link[^>]*\bhref="https?:[^>]*>/g, '');
}

/** Returns a 404 if the queue is available, since the board also fails on invalid input, e.g. a page number. */
async function failureOf(boardQueue: BoardQueue): Promise<Problem> {
  return boardQueue.check().then(
    () => new Problem(404),
    () => queueAway(),
  );
}

function queueAway(): Problem {
  return serviceUnavailable('The queue is unavailable. Please try again in a moment.');
}
