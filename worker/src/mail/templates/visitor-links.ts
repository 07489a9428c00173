import { receiptDays } from '@dune-tide/domain/limits';
import { html, type Html } from '@dune-tide/platform/html';
import { paragraph, textLink } from './mail-design.ts';

/** The addresses in emails to visitors. */
export interface VisitorLinks {
  /** The site's address. */
  readonly publicUrl: string;
  /** The address of the page that stops automatic emails. */
  readonly unsubscribeUrl: string;
  /** The address of the page that shows what the visitor sent. */
  readonly receiptUrl: string;
}

const label = 'See or withdraw what you sent';
const validity = `for ${receiptDays} days`;

/** The link to the receipt (docs/PRODUCT.md, "Receipt page"). */
export const receiptParagraph = (url: string): Html => paragraph(html`${textLink(label, url)} (${validity})`);

/** The same for the text part. */
export const receiptText = (url: string): string => `${label} (${validity}):\n${url}`;
