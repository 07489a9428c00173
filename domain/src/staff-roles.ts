/** The roles of staff accounts. Owners may do everything that members may (docs/PRODUCT.md, "Roles"). */
export const staffRoles = ['owner', 'member'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** The message if a change would leave the team without an active owner. */
export const lastOwnerMessage = 'The team needs at least one active owner. Make another account an owner first.';
