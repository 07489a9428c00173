/**
 * When an account gets the emails about assigned leads and mentions (docs/PRODUCT.md, "Notifications"), with the text of
 * the choice.
 */
export const leadEmailTexts = {
  hourly: 'At most one email an hour',
  immediate: 'At most one email a minute',
  never: 'Never',
} as const;

export type LeadEmails = keyof typeof leadEmailTexts;
export const leadEmailChoices = Object.keys(leadEmailTexts) as readonly LeadEmails[];
