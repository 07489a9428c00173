import { brand } from '../brand.ts';

/*
 * The parts of the privacy notice that every public page needs. Its texts are in privacy.ts, so that only that page loads them.
 */

/** The path of the page. */
export const privacyPath = '/privacy';
export const privacyTitle = 'Privacy notice';
export const privacyIntroduction = `What ${brand.name} does with your personal data when you send us a form, and what you can ask of us.`;

/** The line below the button of each public form; the title of the page, as a link, follows. */
export const privacyLine = 'We use your details to answer you.';
