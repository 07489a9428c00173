import { secondFactors } from '@dune-tide/db/second-factors';
import { staffSessions } from '@dune-tide/db/sessions';
import { codeForm, wrongCodeMessage } from '@dune-tide/domain/forms/second-factor';
import type { recoveryCodesResponse, totpSetupResponse } from '@dune-tide/domain/responses/own-account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Knex } from 'knex';
import type { KnownDevices } from '../auth/known-devices.ts';
import { actorOf, notSignedIn, staffOf } from '../auth/session.ts';
import type { Context, Router } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';
import { comparableCode, newRecoveryCodes } from './recovery-codes.ts';
import type { TotpCodes } from './totp-codes.ts';
import { totpUri } from './totp.ts';

export interface SecondFactorRoutesDependencies {
  readonly database: Knex;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  readonly devices: KnownDevices;
  readonly totp: TotpCodes;
}

/**
 * Registers the calls with which members of staff set up and remove their second factor (docs/PRODUCT.md, "Second
 * factor"). Each needs a fresh password, so that an open session is not enough.
 */
export function secondFactorRoutes(router: Router, dependencies: SecondFactorRoutesDependencies): void {
  const { database, networksOf, devices, totp } = dependencies;
  const factors = secondFactors(database);
  const limits = signInLimits(dependencies.rateLimits, 'second-factor');
  const readCode = formReader(codeForm);

  const requireFreshPassword = async (ctx: Context): Promise<void> => {
    if (await staffSessions(database).hasFreshPassword(actorOf(ctx).sessionId)) return;
    throw new Problem(403, { type: 'password_needed', detail: 'Please enter your password again.' });
  };

  router.post('/account/totp', async (ctx) => {
    await requireFreshPassword(ctx);
    const actor = actorOf(ctx);
    const { secret, sealed } = totp.newSecret(actor.id);
    required(await factors.beginTotp(actor, sealed), 'The account has an authenticator app already.');
    ctx.status = 201;
    ctx.body = { secret, uri: totpUri(secret, staffOf(ctx).username) } satisfies Presented<typeof totpSetupResponse>;
  });

  router.post('/account/totp/confirm', jsonBody(), async (ctx) => {
    await requireFreshPassword(ctx);
    const { code } = readCode(ctx.state.body);
    const actor = actorOf(ctx);
    const tried = {
      networks: networksOf(ctx.req),
      foldedUsername: staffOf(ctx).username.toLowerCase(),
      knownDevice: devices.find(ctx, actor.id),
    };
    const codes = newRecoveryCodes();
    const isRight = await limits.attempt(tried, async () => {
      const first = await totp.firstStep(actor.id, code);
      if (!first) return false;
      required(
        await factors.confirmTotp(actor, first, codes.map(comparableCode)),
        'The authenticator app was changed in the meantime.',
      );
      return true;
    });
    if (!isRight) throw validationFailed([{ field: 'code', message: wrongCodeMessage }]);
    ctx.body = { codes } satisfies Presented<typeof recoveryCodesResponse>;
  });

  router.delete('/account/totp', async (ctx) => {
    await requireFreshPassword(ctx);
    if ((await factors.remove(actorOf(ctx))) === undefined) throw notSignedIn();
    ctx.body = null;
  });

  router.post('/account/recovery-codes', async (ctx) => {
    await requireFreshPassword(ctx);
    const codes = newRecoveryCodes();
    required(
      await factors.replaceRecoveryCodes(actorOf(ctx), codes.map(comparableCode)),
      'The account has no second factor.',
    );
    ctx.status = 201;
    ctx.body = { codes } satisfies Presented<typeof recoveryCodesResponse>;
  });
}

/**
 * Checks the outcome of a change of the own account.
 * @throws {Problem} 401 if the session has ended, 409 if the change is not possible
 */
function required(outcome: boolean | undefined, otherwise: string): void {
  if (outcome === undefined) throw notSignedIn();
  if (!outcome) throw new Problem(409, { detail: otherwise });
}
