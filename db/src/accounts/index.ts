export { staffAccounts, type Account, type AccountActor, type AccountChanges, type KnownAccount } from './accounts.ts';
export { emailConfirmations } from './email-addresses.ts';
export { accountNotices, type AccountNotice } from './notices.ts';
export { passkeyChallenges } from './passkey-challenges.ts';
export { passkeys, type NewPasskey } from './passkeys.ts';
export type { AddedFactor } from './second-factor-changes.ts';
export { secondFactors, type PendingSignIn, type SecondFactors } from './second-factors.ts';
export { staffSessions, type SessionOrigin, type StaffIdentity } from './sessions.ts';
