/** A condition on `staff`: whether a sign-in asks for a second factor. */
export const hasSecondFactor = `(
  exists (select from totp_factors where totp_factors.staff_id = staff.id and confirmed_at is not null)
  or exists (select from passkeys where passkeys.staff_id = staff.id)
)`;
