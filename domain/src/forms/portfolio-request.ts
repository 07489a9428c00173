import { closedSelection, emailAddress } from './fields.ts';
import type { FormSchema, FormValues } from './form-schema.ts';

/** The form of the dialog that View All Projects opens (docs/PRODUCT.md, "Portfolio form"). */
export const portfolioRequestForm = {
  $id: 'portfolio-request',
  description: 'A request for the portfolio PDF by email',
  type: 'object',
  properties: {
    email: emailAddress('Please enter a valid email address'),
    source: closedSelection('Source', 'Source must be portfolio_view', ['portfolio_view']),
  },
  required: ['email', 'source'],
} as const satisfies FormSchema;

export type PortfolioRequest = FormValues<typeof portfolioRequestForm>;
