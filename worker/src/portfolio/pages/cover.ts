import { coverArt } from '@dune-tide/domain/art/hero';
import { brand } from '@dune-tide/domain/brand';
import { caseStudies } from '@dune-tide/domain/content/case-studies';
import { fullPage, margin, page } from '../grid.ts';
import { setText, type PageLayout } from '../layout.ts';
import { styles } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';

/** Lays out the cover: the studio's name in the sky of the hero picture. */
export function coverPage(typesetter: Typesetter): PageLayout {
  const width = page.width - 2 * margin.side;
  const ink = 'night';
  return {
    title: 'Cover',
    elements: [
      { kind: 'picture', art: coverArt, box: fullPage },
      setText(typesetter, brand.name, styles.cover, {
        // Removes the space to the left of the first letter.
        x: margin.side - 6,
        baseline: 164,
        width: width + 6,
        ink,
        tag: 'H1',
      }),
      setText(typesetter, `Portfolio: ${caseStudies.length} case studies`, styles.lead, {
        x: margin.side,
        baseline: 219,
        width: width / 2,
        ink,
      }),
      setText(typesetter, brand.tagline, styles.lead, {
        x: page.width / 2,
        baseline: 219,
        width: width / 2,
        ink,
        align: 'right',
      }),
    ],
  };
}
