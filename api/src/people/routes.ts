import { Readable } from 'node:stream';
import { auditLog } from '@dune-tide/db/audit-log';
import { ErasureLimitReached, personalData, personalDataExport } from '@dune-tide/db/personal-data';
import { erasureForm } from '@dune-tide/domain/forms/erasure';
import { erasureResponse, personalDataResponse } from '@dune-tide/domain/responses/personal-data';
import { string } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { describeError } from '@dune-tide/platform/log';
import { entryOf } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import { limitReached } from '../http/errors/problem.ts';
import { reporting } from '../http/file-exports.ts';
import { formBody } from '../http/requests/json-body.ts';
import { emailParameter } from '../http/requests/query.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

const { perHour } = staffCalls.erasePerson;

const query = { email: { ...emailParameter, isRequired: true } } as const;

/** Declares the calls that count, export and erase what is held about a person (docs/PRODUCT.md, "Personal data"). */
export function peopleRoutes({
  database,
  removeJobs,
  logger,
  fileExports,
}: Pick<Services, 'database' | 'removeJobs' | 'logger' | 'fileExports'>): Route[] {
  const people = personalData(database);
  return [
    route(staffCalls.personalData, {
      summary: 'Counts what is held about an address',
      description: 'At most 5,000 leads are counted.',
      query,
      responses: { 200: { description: 'The counts.', schema: personalDataResponse } },
      problems: [422],
      async handle(ctx, { query: { email } }) {
        ctx.body = await people.count(email);
      },
    }),
    route(staffCalls.exportPerson, {
      summary: 'Exports what is held about an address',
      query,
      responses: {
        200: {
          description: 'A JSON file. If the export fails, the connection is closed before the end of the file.',
          schema: { type: 'object' },
          headers: { 'Content-Disposition': { description: 'The name of the file.', schema: string } },
        },
      },
      problems: [422, 429, 503],
      async handle(ctx, { query: { email } }) {
        const setFileHeaders = (): void => {
          ctx.type = 'application/json; charset=utf-8';
          ctx.attachment(`personal-data-${new Date().toISOString().slice(0, 10)}.json`);
          ctx.status = 200;
        };
        if (ctx.method === 'HEAD') return setFileHeaders();
        const exporting = fileExports.begin(staffOf(ctx).id);
        try {
          // Before the first row is read, so that no export goes unrecorded.
          await auditLog(database).add(entryOf(ctx, staffCalls.exportPerson));
        } catch (error) {
          exporting.end();
          throw error;
        }
        const parts = reporting(personalDataExport(database, email), exporting);
        const file = Readable.from(parts, { objectMode: false, signal: exporting.signal });
        file.once('close', exporting.end);
        // Koa destroys the file if the client goes away. An error would otherwise look like the end of the file.
        file.on('error', (error) => {
          if (!ctx.res.destroyed) logger.warn({ error: describeError(error) }, 'export ended early');
          ctx.res.destroy();
        });
        setFileHeaders();
        ctx.body = file;
      },
    }),
    route(staffCalls.erasePerson, {
      summary: 'Erases what is held about an address',
      description: `Waiting emails are not sent. An email that is being sent can still arrive. An account can erase ${perHour} addresses in an hour.`,
      body: formBody(erasureForm),
      responses: { 200: { description: 'What was erased.', schema: erasureResponse } },
      problems: [429],
      async handle(ctx, { body: { email } }) {
        try {
          const { erased, followUpIds } = await people.erase(email, { id: staffOf(ctx).id });
          await removeJobs(followUpIds);
          ctx.body = erased;
        } catch (error) {
          if (!(error instanceof ErasureLimitReached)) throw error;
          throw limitReached(`You can erase the data of ${perHour} people in an hour.`, error.retryAfter);
        }
      },
    }),
  ];
}
