import type { AccountNotice } from '@dune-tide/db/accounts';
import type { AccountEvent } from '@dune-tide/domain/account-events';
import { brand } from '@dune-tide/domain/brand';
import { emailConfirmationHours } from '@dune-tide/domain/limits';
import { html } from '@dune-tide/platform/html';
import { receivedAt } from './lead-in-mail.ts';
import type { MailContent } from './mail-content.ts';
import { button, factList, paragraph } from './mail-design.ts';
import { mailLayout, textFooter } from './mail-layout.ts';
import { paragraphs, wrap } from './plain-text.ts';

interface NoticeText {
  readonly heading: string;
  readonly effect: string;
  /** The heading for the team, if it is notified (`teamEvents`). */
  readonly forTeam?: string;
  /** Advice that replaces the one about a change. */
  readonly advice?: string;
}

const texts: Readonly<Record<AccountEvent, NoticeText>> = {
  added: {
    heading: 'You have an account',
    forTeam: 'An account was added',
    effect: 'Ask the person who added you for the password. At your first sign-in you choose one of your own.',
  },
  made_owner: {
    heading: 'You are now an owner',
    forTeam: 'An account was made an owner',
    effect: 'You can add and change accounts, read the audit log, and export and erase the data of a person.',
  },
  made_member: {
    heading: 'You are now a member',
    forTeam: 'An account was made a member',
    effect: 'You can work with leads and recipes as before. Only owners change accounts and erase data.',
  },
  password_set: {
    heading: 'A new password was set for your account',
    forTeam: 'A new password was set for an account',
    effect: 'You are signed out on all devices. At your next sign-in you choose a password of your own.',
  },
  password_changed: {
    heading: 'Your password was changed',
    effect: 'All other devices are signed out.',
  },
  deactivated: {
    heading: 'Your account was deactivated',
    forTeam: 'An account was deactivated',
    effect: 'You are signed out on all devices and cannot sign in.',
  },
  activated: {
    heading: 'Your account was activated',
    forTeam: 'An account was activated',
    effect: 'You can sign in again.',
  },
  email_changed: {
    heading: 'The email address of your account was changed',
    forTeam: 'The email address of an account was changed',
    effect: 'Emails about your account no longer go to this address.',
  },
  email_to_confirm: {
    heading: 'Confirm your email address',
    effect: `Your staff account gets this address when you follow the link, within ${emailConfirmationHours} hours, and press the button there.`,
    advice: 'If you did not expect this email, ignore it.',
  },
  second_factor_added: {
    heading: 'A second factor was added to your account',
    effect: 'A sign-in needs a second factor in addition to the password. All other devices are signed out.',
  },
  second_factor_removed: {
    heading: 'A second factor was removed from your account',
    effect: 'It can no longer be used to sign in. All other devices are signed out.',
  },
  recovery_codes_replaced: {
    heading: 'The recovery codes of your account were replaced',
    effect: 'The earlier codes no longer work. All other devices are signed out.',
  },
  new_device: {
    heading: 'A new device signed in to your account',
    effect:
      'The device has not signed in before, or a change of your password or second factor signed it out. ' +
      'A browser that deletes its cookies also counts as new.',
    advice:
      'If it was not you, someone knows your password: change it on the account page of the staff area immediately, ' +
      'which signs out all other devices.',
  },
  password_known: {
    heading: 'Someone knows your password',
    effect: 'Someone entered your password and then several wrong codes. They did not get in with those codes.',
    advice:
      'If you mistyped the codes yourself, there is nothing to do. Otherwise change your password on the account page ' +
      'of the staff area immediately, and wherever else you use it.',
  },
  password_guessed: {
    heading: 'Someone is guessing your password',
    effect: 'Many sign-ins to your account were refused within a day, because the password was wrong.',
    advice:
      'If your password is used nowhere else and your account has a second factor, there is nothing to do. Otherwise ' +
      'set a new password and a second factor on the account page of the staff area.',
  },
};

const changeAdvice = 'If you did not expect this change, contact another member of the team immediately.';

/** Returns the lines about what happened, without an actor if the account did not change. */
function factsOf({ event, at, username, actorName, isOwn, isToTeam, device }: AccountNotice) {
  const account = { term: 'Account', description: username };
  const time = { term: 'Time', description: receivedAt(at).time };
  if (event === 'new_device') return [account, { term: 'Device', description: device ?? 'Unknown browser' }, time];
  if (event === 'password_known' || event === 'password_guessed') return [account, time];
  const actor = isOwn && !isToTeam ? 'you' : (actorName ?? 'an operator of the server');
  return [account, { term: event === 'email_to_confirm' ? 'Entered by' : 'Changed by', description: actor }, time];
}

/**
 * Writes the email that notifies an account, or the team, of a change of the account (docs/PRODUCT.md, "Notices about accounts").
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function accountNoticeMail(
  notice: AccountNotice & { readonly publicUrl: string; readonly confirmUrl: string },
): MailContent {
  const { event, isToTeam, publicUrl, confirmUrl } = notice;
  const { heading: ownHeading, effect: ownEffect, forTeam = ownHeading, advice = changeAdvice } = texts[event];
  const heading = isToTeam ? forTeam : ownHeading;
  const effect = isToTeam ? 'The audit log on the Team page shows who changed what.' : ownEffect;
  const subject = `${heading} – ${brand.name}`;
  const facts = factsOf(notice);
  const isToConfirm = event === 'email_to_confirm';
  const reason = isToTeam
    ? `You are receiving this email because this address is notified of changes of the staff accounts of ${brand.name}.`
    : `You are receiving this email because ${isToConfirm ? 'this address was entered for a' : 'your'} staff account of ${brand.name}${isToConfirm ? '' : ' has this address'}.`;
  const [label, url] = isToConfirm
    ? (['Confirm this address', confirmUrl] as const)
    : (['Open the staff area', new URL('/admin/login', publicUrl).href] as const);
  return {
    subject,
    html: mailLayout({
      title: subject,
      preheader: effect,
      heading,
      body: html`${paragraph(effect)}${factList(facts)}${paragraph(advice)}${button(label, url)}`,
      reason,
      publicUrl,
    }),
    text: paragraphs(
      wrap(`${heading}. ${effect}`),
      facts.map(({ term, description }) => `${term}: ${description}`).join('\n'),
      wrap(advice),
      url,
      ...textFooter({ reason, publicUrl }),
    ),
  };
}
