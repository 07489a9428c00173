import { boolean, object, wholeNumber, type ResponseSchema } from './schema.ts';

const counts = {
  leads: { ...wholeNumber, description: 'Leads of all kinds, also those that are held as spam' },
  emails: { ...wholeNumber, description: 'Emails about these leads, replies and notices to staff included' },
  unsentEmails: { ...wholeNumber, description: 'The emails among them that wait, have failed or are withheld' },
  replies: { ...wholeNumber, description: 'Texts of replies by staff' },
  notes: { ...wholeNumber, description: 'Notes by staff' },
  historyEntries: { ...wholeNumber, description: 'All other entries in the histories of the leads' },
  webhooks: { ...wholeNumber, description: 'Webhooks about these leads' },
  savedViews: {
    ...wholeNumber,
    description: 'Saved views of all accounts with the address or a phone number, which they lose',
  },
  optOuts: { ...wholeNumber, description: 'Opt-outs from automatic emails' },
} as const;

/** The amount of data that is held about an address (docs/PRODUCT.md, "Erasure"). */
export const personalDataResponse = {
  title: 'personal-data',
  description: 'How much is held about an address',
  ...object(counts),
} as const satisfies ResponseSchema;

/** The amount of data that was erased. */
export const erasureResponse = {
  title: 'erasure',
  description: 'How much was erased',
  ...object({
    ...counts,
    isComplete: { ...boolean, description: 'False if the address has so many leads that another call is needed' },
  }),
} as const satisfies ResponseSchema;
