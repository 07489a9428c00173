import { accountEvents } from '@dune-tide/domain/account-events';
import { maxLength, sessionLimit } from '@dune-tide/domain/limits';
import { staffRoles } from '@dune-tide/domain/staff-roles';
import { guardedSecrets } from '../src/accounts/device-failures.ts';
import { quoted } from '../src/lead-expressions/index.ts';
import { checks, lengthOf } from './statements.ts';

const isSha256 = (column: string): string => `${column} ~ '^[0-9a-f]{64}$'`;

/** The values of accounts, their sessions, second factors and notices. */
export const accounts = [
  ...checks('staff', {
    staff_username_form: `username ~ '^[^[:cntrl:][:space:]]{1,100}$'`,
    staff_name_length: lengthOf('name', 1, maxLength.name),
    staff_role_known: `role in (${quoted(staffRoles)})`,
    staff_email_length: lengthOf('email', 3, maxLength.email),
    staff_password_is_hashed: `password_hash like '$argon2id$%'`,
  }),
  ...checks('sessions', {
    sessions_id_is_hashed: isSha256('id_hash'),
    sessions_end_after_8_hours: `expires_at <= created_at + interval '${sessionLimit.hours} hours'`,
    sessions_device_length: lengthOf('device', 1, 100),
    sessions_address_length: lengthOf('address', 1, 100),
  }),
  ...checks('known_devices', { known_devices_token_is_hashed: isSha256('token_hash') }),
  ...checks('device_failures', { device_failures_secret_known: `secret in (${quoted(guardedSecrets)})` }),
  ...checks('pending_sign_ins', { pending_sign_ins_id_is_hashed: isSha256('id_hash') }),
  ...checks('totp_factors', {
    totp_factors_confirmed_with_a_code: '(confirmed_at is null) = (last_step is null)',
  }),
  ...checks('recovery_codes', { recovery_codes_are_hashed: isSha256('code_hash') }),
  ...checks('passkeys', {
    passkeys_credential_id_form: `
      credential_id ~ '^[A-Za-z0-9_-]+$' and char_length(credential_id) <= ${maxLength.credentialId}
    `,
    passkeys_counter_range: 'counter between 0 and 4294967295',
    passkeys_name_length: lengthOf('name', 1, maxLength.passkeyName),
  }),
  ...checks('pending_emails', { pending_emails_email_length: lengthOf('email', 3, maxLength.email) }),
  ...checks('account_notices', {
    account_notices_event_known: `event in (${quoted(accountEvents)})`,
    account_notices_device_length: lengthOf('device', 1, 100),
  }),
];
