import { brand } from '@dune-tide/domain/brand';
import { leadDefinitions, valuesOf } from '@dune-tide/domain/leads';
import { namesIn, quoteOf } from '@dune-tide/domain/leads/definition';
import { replyMail } from '../mail/templates/reply-mail.ts';
import type { Composer } from './composer.ts';

/** Composes the email of a reply that a member of staff wrote (docs/PRODUCT.md, "Replies"). */
export const reply: Composer = async (followUp, { replyToSend, leadOf, publicUrl }) => {
  const [written, lead] = await Promise.all([replyToSend(followUp.id), leadOf(followUp)]);
  if (!written) throw new TypeError('A reply has no text');
  const [definition, values] = [leadDefinitions[lead.kind], valuesOf(lead)];
  const { authorName, authorEmail, subject, text, references } = written;
  return {
    content: replyMail({
      subject,
      text,
      quoted: {
        text: quoteOf(definition, values),
        name: namesIn(definition, values).join(' '),
        at: lead.createdAt,
      },
      publicUrl,
    }),
    senderName: `${authorName}, ${brand.name}`,
    replyTo: authorEmail === null ? 'studio' : { address: authorEmail },
    references,
  };
};
