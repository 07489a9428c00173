import { pipeline, Readable } from 'node:stream';
import { auditLog } from '@dune-tide/db/audit-log';
import { leadSearch, type LeadQuery, type StoredLead } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions, workedKinds } from '@dune-tide/domain/leads';
import { anyLineBreak } from '@dune-tide/domain/lines';
import { leadExport } from '@dune-tide/domain/limits';
import { csvColumns } from '@dune-tide/domain/responses/lead';
import { string } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { describeError } from '@dune-tide/platform/log';
import { stringify } from 'csv-stringify';
import { entryOf } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import { limitReached } from '../http/errors/problem.ts';
import { reporting } from '../http/file-exports.ts';
import { checkFreshPassword, ownerNeeded, route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import { leadQuery, leadQueryOf } from './lead-query.ts';
import { presentLead } from './present.ts';

const columns = csvColumns(workedKinds.map((kind) => leadDefinitions[kind]));

/** Declares the call that exports leads as CSV (docs/PRODUCT.md, "Export"). */
export function leadExportRoutes({
  database,
  logger,
  fileExports,
}: Pick<Services, 'database' | 'logger' | 'fileExports'>): Route[] {
  const found = leadSearch(database);
  const { perHour, rowsForMembers } = staffCalls.exportLeads;
  return [
    route(staffCalls.exportLeads, {
      summary: 'Exports leads of all kinds but portfolio requests as CSV',
      description: `RFC 4180, in UTF-8 with a byte order mark. The first line names the columns. Above ${rowsForMembers} leads, a member gets 403 and an owner needs a fresh password.`,
      query: leadQuery,
      responses: {
        200: {
          description: 'The file. If the export fails, the connection is closed before its end.',
          mediaType: 'text/csv',
          schema: string,
          headers: { 'Content-Disposition': { description: 'The name of the file.', schema: string } },
        },
      },
      problems: [422, 429, 503],
      async handle(ctx, { query: values }) {
        const staff = staffOf(ctx);
        const query = leadQueryOf(values, staff.id);
        const day = new Intl.DateTimeFormat('en-CA', { timeZone: brand.timeZone, dateStyle: 'short' }).format(
          new Date(),
        );
        const setFileHeaders = (): void => {
          ctx.type = 'text/csv; charset=utf-8; header=present';
          ctx.attachment(`leads-${day}.csv`);
          ctx.status = 200;
        };
        if (ctx.method === 'HEAD') return setFileHeaders();
        const exporting = fileExports.begin(staff.id);
        let firstPage: StoredLead[];
        try {
          // Before the response starts, so that it can report an unavailable database. A member gets this page alone.
          firstPage = await found.page(query, leadExport.leadsTogether);
          if (firstPage.length > rowsForMembers) {
            if (staff.role !== 'owner')
              throw ownerNeeded(`Only an owner can export more than ${rowsForMembers} leads.`);
            await checkFreshPassword(ctx);
          }
          // Before the first byte is sent, so that no export goes unrecorded.
          const entry = { ...entryOf(ctx, staffCalls.exportLeads), actor: { id: staff.id } };
          const wait = await auditLog(database).addWithin(staff.role === 'owner' ? undefined : perHour, entry);
          if (wait !== undefined) throw limitReached(`You can export ${perHour} files in an hour.`, wait);
        } catch (error) {
          exporting.end();
          throw error;
        }
        const progress = { leads: 0 };
        const file = stringify({
          columns: columns.map((key) => ({ key })),
          header: true,
          bom: true,
          record_delimiter: 'windows',
          quoted: true,
          quoted_empty: true,
          // Against formulas that a spreadsheet would run (OWASP, "CSV Injection").
          escape_formulas: true,
          cast: { string: asText },
        });
        const leads = rowsOf(found, query, firstPage, isoInStudio, progress);
        const rows = Readable.from(reporting(leads, exporting), { signal: exporting.signal });
        // Ends also if the client goes away, because Koa destroys the file then.
        pipeline(rows, file, (error) => {
          exporting.end();
          const { requestId } = ctx.state;
          logger.info({ requestId, leads: progress.leads, isComplete: !error }, 'leads exported');
          if (!error) return;
          if (!ctx.res.destroyed) logger.warn({ error: describeError(error) }, 'export ended early');
          // The client would take the rows so far for all of them.
          ctx.res.destroy();
        });
        setFileHeaders();
        ctx.body = file;
      },
    }),
  ];
}

/**
 * Matches what a spreadsheet takes for a formula if it is told that another character than the comma separates the cells,
 * or that quotes mean nothing. The library escapes only the start of a field. The character comes first, because what is
 * before it would otherwise be searched at each place.
 */
const hiddenFormula = new RegExp(String.raw`[=+\-@＝＋－＠](?<=(?:[;\t|]|${anyLineBreak.source})[\s"]*.)`, 'g');

/** Returns a text that a spreadsheet shows as it is. */
function asText(text: string): string {
  // A spreadsheet would remove the zero at the start of a phone number.
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return isNumber ? `'${text}` : text.replaceAll(hiddenFormula, "'$&");
}

/** Reads the leads page by page, so that neither memory nor a connection is held for the whole export. */
async function* rowsOf(
  found: ReturnType<typeof leadSearch>,
  query: LeadQuery,
  firstPage: StoredLead[],
  iso: (time: Date) => string,
  progress: { leads: number },
): AsyncGenerator<Record<string, string>> {
  for (let page = firstPage; ;) {
    for (const lead of page) {
      progress.leads++;
      yield rowOf(lead, iso);
    }
    const last = page.at(-1);
    if (!last || page.length < leadExport.leadsTogether) return;
    page = await found.page(query, leadExport.leadsTogether, found.placeOf(query, last));
  }
}

/** Returns the cells of a lead by column. */
function rowOf(lead: StoredLead, iso: (time: Date) => string): Record<string, string> {
  const { owner, ...members } = presentLead(lead);
  const row: Record<string, string> = { owner: owner?.name ?? '' };
  for (const [name, value] of Object.entries(members)) {
    if (value !== null) row[name] = value instanceof Date ? iso(value) : String(value);
  }
  return row;
}

const zoneFormat = new Intl.DateTimeFormat('en', { timeZone: brand.timeZone, timeZoneName: 'longOffset' });

/** Writes a time in ISO 8601 with the offset of the studio's time zone. */
function isoInStudio(time: Date): string {
  const name = zoneFormat.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '00', minutes = '00'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(time.getTime() + offset).toISOString().replace('Z', `${sign}${hours}:${minutes}`);
}
