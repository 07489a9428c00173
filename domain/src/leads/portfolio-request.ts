import { portfolioRequestForm } from '../forms/portfolio-request.ts';
import { email, type KindDeclaration } from './declaration.ts';

/** A request for the portfolio by email. No list shows it. */
export const portfolioRequest = {
  labels: { sentence: 'Portfolio request', staff: 'Portfolio Request', list: 'Portfolio Requests' },
  form: portfolioRequestForm,
  variants: [],
  formOf: () => portfolioRequestForm,
  fields: {
    email,
    source: {
      staffOptions: [{ value: 'portfolio_view', label: 'Portfolio on the home page' }],
      isSentByPage: true,
    },
  },
  order: ['email', 'status', 'source'],
  name: [],
  subject: null,
  isWorked: false,
  initialStatus: null,
  hasClock: false,
  hasUpdateTime: false,
  firstEmail: 'portfolio_pdf',
  // A visitor may paste an address and send it immediately, and staff could not release one that is held by mistake.
  hasFormToken: false,
  retention: 'leads',
} as const satisfies KindDeclaration<typeof portfolioRequestForm, never>;
