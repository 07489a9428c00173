import type { StoredLead } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { replyMail } from '../mail/templates/reply-mail.ts';
import type { Composer } from './composer.ts';

/** Composes the email of a reply that a member of staff wrote (docs/PRODUCT.md, "Replies"). */
export const reply: Composer = async (followUp, { replyToSend, leadOf, publicUrl }) => {
  const [written, lead] = await Promise.all([replyToSend(followUp.id), leadOf(followUp)]);
  if (!written) throw new TypeError('A reply has no text');
  const { authorName, authorEmail, subject, text, references } = written;
  return {
    content: replyMail({
      subject,
      text,
      quoted: { text: visitorsText(lead), name: visitorsName(lead), at: lead.createdAt },
      publicUrl,
    }),
    senderName: `${authorName}, ${brand.name}`,
    replyTo: authorEmail === null ? 'studio' : { address: authorEmail },
    references,
  };
};

/** Returns what the visitor wrote; an empty text for a portfolio request. */
function visitorsText({ kind, answers }: StoredLead): string {
  switch (kind) {
    case 'contact':
      return answers.message;
    case 'service_inquiry':
      return answers.projectDetails;
    case 'career_application':
      return answers.coverLetter;
    case 'portfolio_request':
      return '';
  }
}

function visitorsName({ kind, email, answers }: StoredLead): string {
  if (kind === 'portfolio_request') return email;
  return kind === 'service_inquiry' ? answers.name : `${answers.firstName} ${answers.lastName}`;
}
