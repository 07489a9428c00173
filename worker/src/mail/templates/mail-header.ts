import { brand, palette, type Ink } from '@dune-tide/domain/brand';
import { html, type Html } from '@dune-tide/platform/html';

/** Keeps mail programs from stretching a cell to the height of a line of text. */
const noLine = 'font-size:0;line-height:0';

const colourCell = (height: number, ink: Ink, radius = '0', width?: number): Html =>
  html`<td
    ${width !== undefined && html`width="${width}"`}
    height="${height}"
    bgcolor="${palette[ink]}"
    style="height:${height}px;background-color:${palette[ink]};border-radius:${radius};${noLine}"
  >
    &nbsp;
  </td>`;

/** A cell in the middle of another one. */
const centred = (width: number, shape: Html): Html =>
  html`<table role="presentation" width="${width}" cellpadding="0" cellspacing="0" border="0">
    <tr>
      ${shape}
    </tr>
  </table>`;

/** A reflection on the water, with the water below it. */
const glint = (width: number, ink: Ink): Html =>
  html`<tr>
      ${colourCell(4, 'teal')}
      <td align="center" bgcolor="${palette.teal}" style="background-color:${palette.teal};${noLine}">
        ${centred(width, colourCell(4, ink))}
      </td>
    </tr>
    <tr>
      ${colourCell(8, 'teal')}${colourCell(8, 'teal')}
    </tr>`;

/** A band across the whole width. */
const across = (height: number, ink: Ink): Html =>
  html`<tr>
    ${colourCell(height, ink)}${colourCell(height, ink)}
  </tr>`;

/** A dune that falls toward the sea, with its shaded side on the left. */
const dune = html`<table role="presentation" width="92%" cellpadding="0" cellspacing="0" border="0">
  <tr>
    ${colourCell(46, 'terracotta', '100% 0 0 0', 84)}${colourCell(46, 'terracottaSoft', '0 100% 0 0')}
  </tr>
</table>`;

/** The studio's name, a dune and a sun above the sea, drawn with table cells because mail programs block images. */
export const mailHeader = html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
  <tr>
    <td class="sky" valign="bottom" bgcolor="${palette.sandDeep}" style="background-color:${palette.sandDeep}">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
        <tr>
          <td
            class="sky ink side"
            valign="top"
            bgcolor="${palette.sandDeep}"
            style="padding:28px 0 16px 28px;background-color:${palette.sandDeep};font-size:22px;line-height:28px;font-weight:800;letter-spacing:-0.5px;white-space:nowrap;color:${palette.night}"
          >
            ${brand.name}
          </td>
        </tr>
      </table>
      ${dune}
    </td>
    <td
      class="sky"
      width="180"
      align="center"
      valign="bottom"
      bgcolor="${palette.sandDeep}"
      style="width:180px;padding:48px 0 0;background-color:${palette.sandDeep};${noLine}"
    >
      ${centred(132, colourCell(66, 'terracotta', '66px 66px 0 0'))}
    </td>
  </tr>
  ${across(10, 'teal')} ${glint(118, 'terracottaSoft')}${glint(84, 'terracottaSoft')}${glint(108, 'tealSoft')}
  ${glint(36, 'terracottaSoft')} ${across(6, 'paper')}${across(10, 'dune')}
</table>`;
