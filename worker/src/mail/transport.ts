import type { StoreLeadTexts } from '@dune-tide/db/follow-ups';
import type { Composer, ComposerDependencies } from '../composers/composer.ts';
import type { Transport } from '../delivery/transport.ts';
import { classifyMailError } from './classify-error.ts';
import { mailLimits, type Mailer } from './mailer.ts';

export interface MailDependencies extends ComposerDependencies {
  readonly mailer: Mailer;
  readonly storeLeadTexts: StoreLeadTexts;
}

/** Shown to staff instead of a response. */
const nothingToReport = 'Nothing was left to report.';

/** Returns the transport that sends follow-ups of one kind as emails. */
export function mailTransport(compose: Composer, dependencies: MailDependencies): Transport {
  return {
    limits: mailLimits,
    async send(followUp, lease, isFirstTry) {
      const { kind, recipient, messageId } = followUp;
      if (recipient === null || messageId === null) throw new TypeError(`A ${kind} has no recipient or no Message-ID`);
      const composed = await compose(followUp, dependencies);
      if (!composed) return { result: 'needless', serverResponse: nothingToReport };
      const { text, leadTexts, ...mail } = composed;
      if (leadTexts) await dependencies.storeLeadTexts(followUp.id, mail.content.subject, leadTexts);
      try {
        const serverResponse = await dependencies.mailer.send({ ...mail, to: recipient, messageId }, lease, isFirstTry);
        return { result: 'sent', serverResponse, text };
      } catch (error) {
        return { ...classifyMailError(error), error };
      }
    },
  };
}
