import { passkeys as passkeyStore, secondFactors, type AddedFactor } from '@dune-tide/db/accounts';
import { codeForm, newPasskeyForm, refusedPasskeyMessage } from '@dune-tide/domain/forms/second-factor';
import { maxPasskeys } from '@dune-tide/domain/limits';
import {
  passkeyCreationResponse,
  recoveryCodesResponse,
  totpSetupResponse,
} from '@dune-tide/domain/responses/own-account';
import type { Presented } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { actorOf, notSignedIn, staffOf } from '../auth/session.ts';
import { Problem, validationFailed } from '../http/errors/problem.ts';
import { formBody } from '../http/requests/json-body.ts';
import { route, type Route } from '../http/route.ts';
import { signInLimits } from '../rate-limits/sign-in-limits.ts';
import type { Services } from '../services.ts';
import { comparableCode, newRecoveryCodes } from './recovery-codes.ts';
import { messageOf } from './totp-codes.ts';
import { totpUri } from './totp.ts';

type SecondFactorServices = Pick<
  Services,
  'database' | 'logger' | 'networksOf' | 'rateLimits' | 'devices' | 'totp' | 'passkeys'
>;

/**
 * Declares the calls with which members of staff set up and remove their second factors (docs/PRODUCT.md, "Second
 * factor"). Each needs a fresh password, so that an open session is not enough.
 */
export function secondFactorRoutes(services: SecondFactorServices): Route[] {
  const { database, networksOf, devices, totp, passkeys } = services;
  const factors = secondFactors(database);
  const ownPasskeys = passkeyStore(database);
  const limits = signInLimits(services, 'second-factor');
  return [
    route(staffCalls.beginTotp, {
      summary: 'Creates the secret of an authenticator app, which is used once a code has confirmed it',
      responses: { 201: { description: 'The secret, which is not returned again.', schema: totpSetupResponse } },
      problems: [409],
      async handle(ctx) {
        const actor = actorOf(ctx);
        const { secret, sealed } = totp.newSecret(actor.id);
        required(await factors.beginTotp(actor, sealed), 'The account has an authenticator app already.');
        ctx.status = 201;
        ctx.body = { secret, uri: totpUri(secret, staffOf(ctx).username) } satisfies Presented<
          typeof totpSetupResponse
        >;
      },
    }),
    route(staffCalls.confirmTotp, {
      summary: 'Confirms the authenticator app with its first code',
      body: formBody(codeForm),
      responses: { 200: { description: 'The recovery codes, once.', schema: recoveryCodesResponse } },
      problems: [409, 429],
      async handle(ctx, { body: { code } }) {
        const actor = actorOf(ctx);
        const tried = {
          networks: networksOf(ctx.req),
          foldedUsername: staffOf(ctx).username.toLowerCase(),
          knownDevice: await devices.find(ctx, actor.id),
        };
        const codes = newRecoveryCodes();
        let added: AddedFactor | undefined;
        let message = messageOf('refused');
        const isRight = await limits.attempt(tried, async () => {
          const first = await totp.firstStep(actor.id, code);
          if (typeof first === 'string') {
            message = messageOf(first);
            return false;
          }
          added = required(
            await factors.confirmTotp(actor, first, codes.map(comparableCode)),
            'The authenticator app was changed in the meantime.',
          );
          return true;
        });
        if (!isRight) throw validationFailed([{ field: 'code', message }]);
        ctx.body = codesOf(added, codes);
      },
    }),
    route(staffCalls.removeTotp, {
      summary: 'Removes the authenticator app, and the recovery codes if it was the last second factor',
      responses: { 204: { description: 'The codes of the app are refused from now on.' } },
      async handle(ctx) {
        if ((await factors.removeTotp(actorOf(ctx))) === undefined) throw notSignedIn();
        ctx.body = null;
      },
    }),
    route(staffCalls.beginPasskey, {
      summary: 'Returns what a browser needs to create a passkey, with a new challenge',
      responses: { 200: { description: 'The challenge works once.', schema: passkeyCreationResponse } },
      async handle(ctx) {
        const options = await passkeys.beginCreation(staffOf(ctx), actorOf(ctx).sessionId);
        if (!options) throw notSignedIn();
        ctx.body = options satisfies Presented<typeof passkeyCreationResponse>;
      },
    }),
    route(staffCalls.addPasskey, {
      summary: 'Adds a passkey that the browser has created',
      body: formBody(newPasskeyForm),
      responses: { 201: { description: 'The recovery codes, once.', schema: recoveryCodesResponse } },
      problems: [409],
      async handle(ctx, { body: created }) {
        const actor = actorOf(ctx);
        const passkey = await passkeys.checkCreation(actor.sessionId, created);
        if (!passkey) throw validationFailed([{ field: 'id', message: refusedPasskeyMessage }]);
        const codes = newRecoveryCodes();
        const added = await ownPasskeys.add(actor, passkey, codes.map(comparableCode));
        if (added === 'full') throw new Problem(409, { detail: `An account has at most ${maxPasskeys} passkeys.` });
        ctx.status = 201;
        ctx.body = codesOf(required(added !== 'taken' && added, 'The passkey was added before.'), codes);
      },
    }),
    route(staffCalls.removePasskey, {
      summary: 'Removes a passkey, and the recovery codes if it was the last second factor',
      responses: { 204: { description: 'The passkey is refused from now on.' } },
      problems: [404],
      async handle(ctx, { params: { id } }) {
        const isRemoved = await ownPasskeys.remove(actorOf(ctx), id);
        if (isRemoved === undefined) throw notSignedIn();
        if (!isRemoved) throw new Problem(404);
        ctx.body = null;
      },
    }),
    route(staffCalls.replaceRecoveryCodes, {
      summary: 'Replaces the recovery codes',
      responses: { 201: { description: 'The new codes, once.', schema: recoveryCodesResponse } },
      problems: [409],
      async handle(ctx) {
        const codes = newRecoveryCodes();
        required(
          await factors.replaceRecoveryCodes(actorOf(ctx), codes.map(comparableCode)),
          'The account has no second factor.',
        );
        ctx.status = 201;
        ctx.body = { codes } satisfies Presented<typeof recoveryCodesResponse>;
      },
    }),
  ];
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
