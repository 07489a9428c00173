import type { StoreLeadTexts } from '@dune-tide/db/follow-ups';
import type { Outage } from '@dune-tide/platform/outage';
import type { Composer, ComposerDependencies } from '../composers/composer.ts';
import type { Transport } from '../delivery/transport.ts';
import { classifyMailError, InterruptedMailError, MailHeldBackError, PassedOverMailError } from './classify-error.ts';
import { mailLimits, type Mailer } from './mailer.ts';

export interface MailDependencies extends ComposerDependencies {
  readonly mailer: Mailer;
  /** The state of the mail server; undefined if it is always tried. */
  readonly mailOutage?: Outage | undefined;
  readonly storeLeadTexts: StoreLeadTexts;
}

/** Returns whether an error tells nothing about whether the mail server is available. */
const saysNothing = (error: unknown): boolean =>
  error instanceof MailHeldBackError || error instanceof InterruptedMailError || error instanceof PassedOverMailError;

/** Shown to staff instead of a response. */
const nothingToReport = 'Nothing was left to report.';

/** Returns the transport that sends follow-ups of one kind as emails. */
export function mailTransport(compose: Composer, dependencies: MailDependencies): Transport {
  const { mailer, mailOutage: outage, storeLeadTexts } = dependencies;
  return {
    limits: mailLimits,
    outage,
    async send(followUp, lease, isFirstTry) {
      const { kind, recipient, messageId } = followUp;
      if (recipient === null || messageId === null) throw new TypeError(`A ${kind} has no recipient or no Message-ID`);
      const composed = await compose(followUp, dependencies);
      if (!composed) return { result: 'needless', serverResponse: nothingToReport };
      const { text, leadTexts, ...mail } = composed;
      if (leadTexts) await storeLeadTexts(followUp.id, mail.content.subject, leadTexts);
      const since = performance.now();
      try {
        const serverResponse = await mailer.send({ ...mail, to: recipient, messageId }, lease, isFirstTry);
        outage?.worked();
        return { result: 'sent', serverResponse, text };
      } catch (error) {
        const failure = classifyMailError(error);
        if (!saysNothing(error)) {
          if (failure.result === 'outage') outage?.failed(error, since);
          else outage?.worked();
        }
        return { ...failure, error };
      }
    },
  };
}
