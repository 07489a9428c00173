/** The roles of staff accounts. Owners may do everything that members may (docs/PRODUCT.md, "Roles"). */
export const staffRoles = ['owner', 'member'] as const;
export type StaffRole = (typeof staffRoles)[number];
