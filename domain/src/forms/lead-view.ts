import { maxLeadViews, maxLength } from '../limits.ts';
import { uuidForm } from '../uuid.ts';
import { line, tooLong } from './fields.ts';
import type { FormSchema } from './form-schema.ts';

/** The body of POST /api/admin/views: a view of the leads page that an account saves. */
export const leadViewForm = {
  $id: 'new-lead-view',
  description: 'A view of the leads page',
  type: 'object',
  properties: {
    name: line('Name', { min: 1, message: 'Please enter a name', max: maxLength.viewName }),
    search: {
      type: 'string',
      description: 'Search',
      maxLength: maxLength.url,
      // The characters of a URL. The page ignores what it does not know.
      pattern: '^[\\x21-\\x7e]*$',
      default: '',
      messages: { default: 'Search must be a query string', maxLength: tooLong('Search', maxLength.url) },
    },
  },
  required: ['name'],
} as const satisfies FormSchema;

/** The body of PATCH /api/admin/views. */
export const leadViewOrderForm = {
  $id: 'lead-view-order',
  description: 'The order of the views of an account',
  type: 'object',
  properties: {
    ids: {
      type: 'array',
      description: 'Views',
      items: { type: 'string', pattern: `^${uuidForm}$` },
      maxItems: maxLeadViews,
      messages: {
        default: `Views must be a list of up to ${maxLeadViews} ids`,
        pattern: 'Each view must be an id',
      },
    },
  },
  required: ['ids'],
} as const satisfies FormSchema;

/** The message for a name that another view of the account has. */
export const viewNameTakenMessage = 'Another view has this name';
