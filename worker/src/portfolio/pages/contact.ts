import { heroArt } from '@dune-tide/domain/art/hero';
import { brand } from '@dune-tide/domain/brand';
import { home } from '@dune-tide/domain/content/home';
import { fullPage, margin, page, readingColumn, wide } from '../grid.ts';
import { band, inkBox, rule, setText, type PageElement, type PageLayout, type TextPlace } from '../layout.ts';
import { schemes } from '../schemes.ts';
import { styles, type TextStyle } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';
import { folio } from './folio.ts';

const scheme = schemes.night;

/** The top of the picture, which fills the rest of the page. */
const pictureTop = 324;

/** Returns a link and its underline. */
function linkTo(
  typesetter: Typesetter,
  label: string,
  url: string,
  choices: readonly TextStyle[],
  place: Omit<TextPlace, 'tag' | 'link'> & { readonly underline: number },
): PageElement[] {
  const text = setText(typesetter, label, choices, { ...place, tag: 'Link', link: url });
  return [rule(inkBox(text).x, text.baseline + place.underline, text.setWidth, place.ink), text];
}

/**
 * Lays out the contact page: the studio's addresses and its response promise.
 * @param publicUrl - the site's address
 */
export function contactPage(typesetter: Typesetter, pageNumber: number, publicUrl: string): PageLayout {
  const column = { x: margin.side, width: page.width - 2 * margin.side };
  const { ink } = scheme;
  const baseline = 252;
  return {
    title: 'Contact',
    elements: [
      band(fullPage, scheme.paper),
      setText(typesetter, home.contact.heading, styles.subheading, { ...column, baseline: 90, ink, tag: 'H1' }),
      ...linkTo(typesetter, brand.email, `mailto:${brand.email}`, styles.address, {
        ...column,
        baseline: 180,
        ink: scheme.accent,
        underline: 18,
      }),
      setText(typesetter, home.engagement.promise.text, styles.lead, {
        x: column.x,
        baseline,
        width: 324,
        bottom: pictureTop - 18,
        ink,
      }),
      setText(typesetter, brand.cities.join(', '), styles.client, {
        x: readingColumn('right', wide).x,
        baseline,
        width: 180,
        ink,
      }),
      ...linkTo(typesetter, new URL(publicUrl).host, publicUrl, [...styles.client, ...styles.body], {
        x: readingColumn('right', wide).x,
        baseline: baseline + styles.lead[0].leading,
        width: 324,
        bottom: pictureTop - 18,
        ink,
        underline: 6,
      }),
      ...linkTo(typesetter, 'X', brand.links.x, styles.client, { x: 786, baseline, width: 20, ink, underline: 6 }),
      ...linkTo(typesetter, 'Instagram', brand.links.instagram, styles.client, {
        x: 822,
        baseline,
        width: 90,
        ink,
        align: 'right',
        underline: 6,
      }),
      {
        kind: 'picture',
        art: heroArt,
        box: { x: 0, y: pictureTop, width: page.width, height: page.height - pictureTop },
      },
      folio(typesetter, pageNumber, { ...column, baseline: 54, ink: scheme.quiet }),
    ],
  };
}
