import { palette } from '@dune-tide/domain/brand';
import { html, type Html } from '@dune-tide/platform/html';

/** Mail programs do not load our web fonts, so similar fonts follow. */
export const fontStack = "'Instrument Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif";

export const paragraph = (content: string | Html): Html =>
  html`<p class="ink" style="margin:0 0 18px;font-size:17px;line-height:27px;color:${palette.night}">${content}</p>`;

export const textLink = (label: string, url: string): Html =>
  html`<a class="link" href="${url}" style="color:${palette.teal};text-decoration:underline">${label}</a>`;

/**
 * A button that keeps its shape in mail programs that drop the background and padding of links. It has no `bgcolor`,
 * which would remain where all styles are dropped and leave the link unreadable.
 */
export const button = (label: string, url: string): Html =>
  html` <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:10px 0 22px">
    <tr>
      <td style="border-radius:4px;background-color:${palette.terracotta};mso-padding-alt:15px 28px">
        <a
          href="${url}"
          style="display:inline-block;padding:15px 28px;font-family:${fontStack};font-size:17px;line-height:22px;font-weight:700;color:${palette.paper};text-decoration:none;border-radius:4px"
          >${label}</a
        >
      </td>
    </tr>
  </table>`;

/** A band with a large figure above its explanation. */
export const figureBand = (value: string, text: string): Html =>
  html` <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:10px 0 28px">
    <tr>
      <td
        class="band"
        bgcolor="${palette.sandDeep}"
        style="padding:20px 24px;background-color:${palette.sandDeep};font-size:16px;line-height:24px;color:${palette.night}"
      >
        <span
          class="figure"
          style="font-size:42px;line-height:46px;font-weight:800;letter-spacing:-1.5px;color:${palette.teal}"
          >${value}</span
        ><br />
        <span class="ink">${text}</span>
      </td>
    </tr>
  </table>`;

/** One row of a list of facts. */
export interface Fact {
  readonly term: string;
  readonly description: string;
}

/** A list of facts in two columns, with a thin line above each row. */
export const factList = (facts: readonly Fact[]): Html =>
  html` <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:10px 0 28px">
    ${facts.map(
      ({ term, description }) =>
        html` <tr>
          <td
            class="rule ink"
            width="42%"
            valign="top"
            style="padding:12px 16px 12px 0;border-top:1px solid ${palette.dune};font-size:16px;line-height:24px;font-weight:700;color:${palette.night}"
          >
            ${term}
          </td>
          <td
            class="rule quiet"
            valign="top"
            style="padding:12px 0;border-top:1px solid ${palette.dune};font-size:16px;line-height:24px;color:${palette.nightSoft}"
          >
            ${description}
          </td>
        </tr>`,
    )}
  </table>`;
