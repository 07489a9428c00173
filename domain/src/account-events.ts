/** The changes of an account that its owner is notified of (docs/PRODUCT.md, "Notices about accounts"). */
export const accountEvents = [
  'added',
  'made_owner',
  'made_member',
  'password_set',
  'password_changed',
  'deactivated',
  'activated',
  'email_changed',
  'second_factor_added',
  'second_factor_removed',
] as const;
export type AccountEvent = (typeof accountEvents)[number];
