import { brand, palette } from '@dune-tide/domain/brand';
import { html, Html } from '@dune-tide/platform/html';
import { fontStack, textLink } from './mail-design.ts';
import { mailHeader } from './mail-header.ts';
import { wrap } from './plain-text.ts';

/** The content of an email, to which the layout adds its frame. */
export interface MailPage {
  readonly title: string;
  /** The preview that inboxes show after the subject. */
  readonly preheader: string;
  /** Left out of a reply, which is a letter. */
  readonly heading?: string | undefined;
  readonly body: Html;
  /** Explains why the recipient got this email. */
  readonly reason: string;
  /** The address of the page that stops automatic emails; undefined for emails to staff. */
  readonly unsubscribeUrl?: string | undefined;
  /** The address of the page where the account turns the email off; undefined if it cannot. */
  readonly settingUrl?: string | undefined;
  /** The site's address. */
  readonly publicUrl: string;
}

/** Styles for dark mode and wide screens, which override the inline styles. */
const screenRules = new Html(`
  @media (prefers-color-scheme: dark) {
    .ground { background-color: ${palette.night} !important; }
    .sheet { background-color: ${palette.nightSoft} !important; }
    .sky { background-color: ${palette.nightSoft} !important; }
    .band { background-color: ${palette.night} !important; }
    .ink { color: ${palette.paper} !important; }
    .quiet { color: ${palette.sandDeep} !important; }
    .figure { color: ${palette.terracottaSoft} !important; }
    .link { color: ${palette.tealSoft} !important; }
    .rule { border-color: ${palette.slate} !important; }
  }
  @media (min-width: 481px) {
    .side { padding-left: 44px !important; padding-right: 44px !important; }
    .sky.side { padding-right: 0 !important; }
  }`);

/** Outlook on Windows ignores `max-width` but reads these comments. */
const outlookFrame = {
  start: new Html(
    '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->',
  ),
  end: new Html('<!--[if mso]></td></tr></table><![endif]-->'),
};

/** A link in the footer, large enough to tap. */
const footLink = (label: string, url: string): Html =>
  html`<a
    href="${url}"
    style="display:inline-block;min-width:24px;margin-right:14px;line-height:24px;color:${palette.paper};text-decoration:underline"
    >${label}</a
  >`;

/** The link to the notice of how the studio handles personal data. */
const privacyLabel = 'Privacy notice';
const privacyUrl = (publicUrl: string): string => new URL('/privacy', publicUrl).href;

/** The link that stops automatic emails. */
const notRequested = 'I did not request this';

/** The link to the setting of the account. */
const changeSetting = 'Choose when you get these emails, or turn them off';

/** Fills the preview after the preheader, so that mail programs do not append the heading. */
const previewFiller = new Html('&#847;&zwnj;&nbsp;'.repeat(60));

/**
 * Renders the HTML part of an email. It consists of tables with inline styles, because some mail programs drop all other
 * styles.
 */
export function mailLayout(page: MailPage): string {
  const { title, preheader, heading, body, reason, unsubscribeUrl, settingUrl, publicUrl } = page;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${title}</title>
        <style>
          :root { color-scheme: light dark; supported-color-schemes: light dark; }${screenRules}
        </style>
      </head>
      <body
        class="ground"
        style="margin:0;padding:0;background-color:${palette.sand};-webkit-text-size-adjust:100%;text-size-adjust:100%"
      >
        <div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader} ${previewFiller}</div>
        <table
          class="ground"
          role="presentation"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          border="0"
          bgcolor="${palette.sand}"
          style="background-color:${palette.sand}"
        >
          <tr>
            <td align="center" style="padding:24px 12px">
              ${outlookFrame.start}
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:600px;font-family:${fontStack}"
              >
                <tr>
                  <td>${mailHeader}</td>
                </tr>
                <tr>
                  <td
                    class="sheet side"
                    bgcolor="${palette.paper}"
                    style="padding:38px 28px 22px;background-color:${palette.paper}"
                  >
                    ${
                      heading !== undefined &&
                      html`<h1
                        class="ink"
                        style="margin:0 0 20px;font-size:34px;line-height:38px;font-weight:800;letter-spacing:-1px;color:${palette.night}"
                      >
                        ${heading}
                      </h1>`
                    }
                    ${body}
                  </td>
                </tr>
                <tr>
                  <td class="side" style="padding:30px 28px;background-color:${palette.night}">
                    <p style="margin:0 0 10px;font-size:19px;line-height:26px;font-weight:700;color:${palette.paper}">
                      ${brand.tagline}
                    </p>
                    <p style="margin:0;font-size:15px;line-height:24px">
                      ${footLink(new URL(publicUrl).host, publicUrl)} ${footLink(brand.email, `mailto:${brand.email}`)}
                      <br />
                      ${footLink('Instagram', brand.links.instagram)} ${footLink('X', brand.links.x)}
                      ${footLink(privacyLabel, privacyUrl(publicUrl))}
                    </p>
                  </td>
                </tr>
                <tr>
                  <td class="side" style="padding:18px 28px 8px">
                    <p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:${palette.nightSoft}">
                      ${reason}${unsubscribeUrl !== undefined && html` ${textLink(notRequested, unsubscribeUrl)}`}${
                        settingUrl !== undefined && html` ${textLink(changeSetting, settingUrl)}`
                      }
                    </p>
                  </td>
                </tr>
              </table>
              ${outlookFrame.end}
            </td>
          </tr>
        </table>
      </body>
    </html> `;
  return document.source;
}

/** The footer of every text part. */
export const textFooter = ({
  reason,
  unsubscribeUrl,
  settingUrl,
  publicUrl,
}: Pick<MailPage, 'reason' | 'unsubscribeUrl' | 'settingUrl' | 'publicUrl'>): readonly string[] => [
  ['-- ', brand.name, brand.tagline, publicUrl, brand.email, brand.links.x, brand.links.instagram].join('\n'),
  `${privacyLabel}:\n${privacyUrl(publicUrl)}`,
  wrap(reason),
  ...(unsubscribeUrl === undefined ? [] : [`${notRequested}:\n${unsubscribeUrl}`]),
  ...(settingUrl === undefined ? [] : [`${changeSetting}:\n${settingUrl}`]),
];

/** The studio's email address as a link. */
export const addressLink: Html = textLink(brand.email, `mailto:${brand.email}`);
