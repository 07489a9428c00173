/**
 * When an account gets the emails about assigned leads and mentions (docs/PRODUCT.md, "Notifications"), with the text of
 * the choice.
 */
export const leadEmailTexts = {
  hourly: 'At most once an hour, in one email',
  immediate: 'Immediately, after a minute in which more are collected',
  never: 'Never',
} as const;

export type LeadEmails = keyof typeof leadEmailTexts;
export const leadEmailChoices = Object.keys(leadEmailTexts) as readonly LeadEmails[];
