import { Readable } from 'node:stream';
import { auditLog } from '@dune-tide/db/audit-log';
import { personalData, personalDataExport } from '@dune-tide/db/personal-data';
import { emailPattern } from '@dune-tide/domain/forms/fields';
import { erasureForm } from '@dune-tide/domain/forms/erasure';
import { maxLength } from '@dune-tide/domain/limits';
import { formReader } from '@dune-tide/platform/form-reader';
import { describeError, type Logger } from '@dune-tide/platform/log';
import type { Knex } from 'knex';
import { auditPerson } from '../auth/audit.ts';
import { staffOf } from '../auth/session.ts';
import type { Context, Router } from '../http/context.ts';
import { invalidParameter } from '../http/errors/problem.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import type { JobRemoval } from './remove-jobs.ts';

export interface PeopleRoutesDependencies {
  readonly database: Knex;
  readonly removeJobs: JobRemoval;
  readonly logger: Logger;
}

/**
 * Registers the calls that count, export and erase what is held about a person (docs/PRODUCT.md, "Personal data").
 * @param router - the staff router, which requires a session
 */
export function peopleRoutes(router: Router, { database, removeJobs, logger }: PeopleRoutesDependencies): void {
  const readErasure = formReader(erasureForm);
  const people = personalData(database);

  router.get('/people', async (ctx) => {
    ctx.body = await people.count(emailOf(ctx));
  });

  router.get('/people/export', async (ctx) => {
    const email = emailOf(ctx);
    ctx.type = 'application/json; charset=utf-8';
    ctx.attachment(`personal-data-${new Date().toISOString().slice(0, 10)}.json`);
    ctx.status = 200;
    if (ctx.method === 'HEAD') return;
    // Before the first row is read, so that no export goes unrecorded.
    await auditLog(database).add({ action: 'person_exported', actor: { id: staffOf(ctx).id } });
    auditPerson(logger, ctx, 'person_exported');
    const file = Readable.from(personalDataExport(database, email), { objectMode: false });
    // Koa destroys the file if the client goes away. An error would otherwise look like the end of the file.
    file.on('error', (error) => {
      if (!ctx.res.destroyed) logger.warn({ error: describeError(error) }, 'export ended early');
      ctx.res.destroy();
    });
    ctx.body = file;
  });

  router.post('/people/erase', jsonBody(), async (ctx) => {
    const { email } = readErasure(ctx.state.body);
    const { erased, followUpIds } = await people.erase(email, { id: staffOf(ctx).id });
    await removeJobs(followUpIds);
    auditPerson(logger, ctx, 'person_erased');
    ctx.body = erased;
  });
}

const wellFormedEmail = new RegExp(emailPattern, 'u');

/** @throws {Problem} 422 if the parameter is not one email address */
function emailOf(ctx: Context): string {
  const { email } = ctx.query;
  if (typeof email !== 'string' || email.length > maxLength.email || !wellFormedEmail.test(email)) {
    throw invalidParameter('email', 'email must be an email address');
  }
  return email;
}
