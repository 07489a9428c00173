import { portfolioMail } from '../mail/templates/portfolio-mail.ts';
import { portfolioFileName } from '../portfolio/file-name.ts';
import { perFollowUp, type Composer } from './composer.ts';

const content = perFollowUp(portfolioMail);

/** Composes the email with the portfolio, which also acknowledges the request. */
export const portfolioPdf: Composer = async (followUp, dependencies) => ({
  ...content(followUp, dependencies),
  autoSubmitted: 'auto-replied',
  replyTo: 'studio',
  attachments: [
    { filename: portfolioFileName, contentType: 'application/pdf', content: await dependencies.portfolio.read() },
  ],
});
