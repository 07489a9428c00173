import { passkeys as passkeyStore, secondFactors, staffSessions, type AddedFactor } from '@dune-tide/db/accounts';
import {
  codeForm,
  newPasskeyForm,
  refusedPasskeyMessage,
  wrongCodeMessage,
} from '@dune-tide/domain/forms/second-factor';
import { maxPasskeys } from '@dune-tide/domain/limits';
import type {
  passkeyCreationResponse,
  recoveryCodesResponse,
  totpSetupResponse,
} from '@dune-tide/domain/responses/own-account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { formReader } from '@dune-tide/platform/form-reader';
import type { Knex } from 'knex';
import type { KnownDevices } from '../auth/known-devices.ts';
import { actorOf, notSignedIn, passwordNeeded, staffOf } from '../auth/session.ts';
import type { Context, Router } from '../http/context.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { resourceId } from '../http/requests/resource-id.ts';
import type { ClientNetworksOf } from '../http/server/client-networks.ts';
import type { RateLimitStore } from '../rate-limits/rate-limit-store.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';
import type { Passkeys } from './passkeys.ts';
import { comparableCode, newRecoveryCodes } from './recovery-codes.ts';
import type { TotpCodes } from './totp-codes.ts';
import { totpUri } from './totp.ts';

export interface SecondFactorRoutesDependencies {
  readonly database: Knex;
  readonly networksOf: ClientNetworksOf;
  readonly rateLimits: RateLimitStore;
  readonly devices: KnownDevices;
  readonly totp: TotpCodes;
  readonly passkeys: Passkeys;
}

/**
 * Registers the calls with which members of staff set up and remove their second factors (docs/PRODUCT.md, "Second
 * factor"). Each needs a fresh password, so that an open session is not enough.
 */
export function secondFactorRoutes(router: Router, dependencies: SecondFactorRoutesDependencies): void {
  const { database, networksOf, devices, totp, passkeys } = dependencies;
  const factors = secondFactors(database);
  const ownPasskeys = passkeyStore(database);
  const limits = signInLimits(dependencies.rateLimits, 'second-factor');
  const readCode = formReader(codeForm);
  const readPasskey = formReader(newPasskeyForm);

  const requireFreshPassword = async (ctx: Context): Promise<void> => {
    if (!(await staffSessions(database).hasFreshPassword(actorOf(ctx).sessionId))) throw passwordNeeded();
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
    let added: AddedFactor | undefined;
    const isRight = await limits.attempt(tried, async () => {
      const first = await totp.firstStep(actor.id, code);
      if (!first) return false;
      added = required(
        await factors.confirmTotp(actor, first, codes.map(comparableCode)),
        'The authenticator app was changed in the meantime.',
      );
      return true;
    });
    if (!isRight) throw validationFailed([{ field: 'code', message: wrongCodeMessage }]);
    ctx.body = codesOf(added, codes);
  });

  router.delete('/account/totp', async (ctx) => {
    await requireFreshPassword(ctx);
    if ((await factors.removeTotp(actorOf(ctx))) === undefined) throw notSignedIn();
    ctx.body = null;
  });

  router.post('/account/passkeys/options', async (ctx) => {
    await requireFreshPassword(ctx);
    const options = await passkeys.beginCreation(staffOf(ctx), actorOf(ctx).sessionId);
    if (!options) throw notSignedIn();
    ctx.body = options satisfies Presented<typeof passkeyCreationResponse>;
  });

  router.post('/account/passkeys', jsonBody(), async (ctx) => {
    await requireFreshPassword(ctx);
    const created = readPasskey(ctx.state.body);
    const actor = actorOf(ctx);
    const passkey = await passkeys.checkCreation(actor.sessionId, created);
    if (!passkey) throw validationFailed([{ field: 'id', message: refusedPasskeyMessage }]);
    const codes = newRecoveryCodes();
    const added = await ownPasskeys.add(actor, passkey, codes.map(comparableCode));
    if (added === 'full') throw new Problem(409, { detail: `An account has at most ${maxPasskeys} passkeys.` });
    ctx.status = 201;
    ctx.body = codesOf(required(added !== 'taken' && added, 'The passkey was added before.'), codes);
  });

  router.delete('/account/passkeys/:id', async (ctx) => {
    await requireFreshPassword(ctx);
    const isRemoved = await ownPasskeys.remove(actorOf(ctx), resourceId(ctx));
    if (isRemoved === undefined) throw notSignedIn();
    if (!isRemoved) throw new Problem(404);
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
function required<Outcome>(outcome: Outcome | false | undefined, otherwise: string): Outcome {
  if (outcome === undefined) throw notSignedIn();
  if (outcome === false) throw new Problem(409, { detail: otherwise });
  return outcome;
}

/** Presents the recovery codes, which come with the first factor only. */
function codesOf(added: AddedFactor | undefined, codes: readonly string[]): Presented<typeof recoveryCodesResponse> {
  return { codes: added === 'first' ? codes : [] };
}
