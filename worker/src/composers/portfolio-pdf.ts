import { portfolioMail } from '../mail/templates/portfolio-mail.ts';
import { portfolioFileName } from '../portfolio/file-name.ts';
import { oncePerSite, type Composer } from './composer.ts';

const content = oncePerSite((publicUrl) => portfolioMail({ publicUrl }));

/** Composes the email with the portfolio, which also acknowledges the request. */
export const portfolioPdf: Composer = async (_, { portfolio, publicUrl }) => ({
  content: content(publicUrl),
  autoSubmitted: 'auto-replied',
  attachments: [{ filename: portfolioFileName, contentType: 'application/pdf', content: await portfolio.read() }],
});
