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
  'email_to_confirm',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_replaced',
  'new_device',
  'password_known',
  'password_guessed',
] as const;
export type AccountEvent = (typeof accountEvents)[number];

/** The events that STAFF_EMAIL is notified of as well, or every owner with an address if it is not set. */
export const teamEvents: readonly AccountEvent[] = [
  'added',
  'made_owner',
  'made_member',
  'password_set',
  'deactivated',
  'activated',
  'email_changed',
];
