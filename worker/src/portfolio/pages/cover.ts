import { heroArt } from '@dune-tide/domain/art/hero';
import { brand } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { fullPage, margin, page } from '../grid.ts';
import { setText, type PageLayout } from '../layout.ts';
import { styles } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';

/** The cover: the studio's name in the sky of its signature picture. */
export function coverPage(typesetter: Typesetter): PageLayout {
  const width = page.width - 2 * margin.side;
  const ink = 'night';
  return {
    title: 'Cover',
    elements: [
      { kind: 'picture', art: heroArt, box: fullPage },
      setText(typesetter, brand.name, styles.cover, {
        x: margin.side - 9,
        baseline: 144,
        width: width + 9,
        ink,
        tag: 'H1',
      }),
      setText(typesetter, `Portfolio: ${caseStudies.length} case studies`, styles.lead, {
        x: margin.side,
        baseline: 193.5,
        width: width / 2,
        ink,
      }),
      setText(typesetter, brand.tagline, styles.lead, {
        x: page.width / 2,
        baseline: 193.5,
        width: width / 2,
        ink,
        align: 'right',
      }),
    ],
  };
}
