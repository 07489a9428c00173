import { serviceArt } from '@dune-tide/domain/art/services';
import type { Ink } from '@dune-tide/domain/brand';
import { home } from '@dune-tide/domain/content/home';
import type { Service } from '@dune-tide/domain/content/service';
import { services } from '@dune-tide/domain/content/services';
import { fullPage, gutter, margin, page, row } from '../grid.ts';
import { band, below, rule, setText, type PageElement, type PageLayout } from '../layout.ts';
import { schemes } from '../schemes.ts';
import { styles } from '../styles.ts';
import type { Typesetter } from '../typesetter.ts';
import { folio } from './folio.ts';

const scheme = schemes.teal;

/** Each service is on a shelf: from left to right a square drawing, its words and its list of features. */
const shelf = { x: 336, height: page.height / services.length } as const;
const words = { x: shelf.x + shelf.height + gutter, width: 225 } as const;
const list = { x: 750, width: page.width - margin.side - 750 } as const;

/** The colours of the shelves, darker from top to bottom. */
const shelfInks: readonly { readonly paper: Ink; readonly rule: Ink }[] = [
  { paper: 'paper', rule: 'dune' },
  { paper: 'sand', rule: 'dune' },
  { paper: 'sandDeep', rule: 'slate' },
  { paper: 'dune', rule: 'night' },
];

/** Lays out the features of a service with a thin line between them. */
function features(typesetter: Typesetter, service: Service, top: number, ruleInk: Ink): PageElement[] {
  const step = 27;
  const lines = service.features.slice(1).map((_, index) => rule(list.x, top + 10 + index * step, list.width, ruleInk));
  const items = service.features.map((feature, index) => ({
    kind: 'group' as const,
    tag: 'LI' as const,
    elements: [
      setText(typesetter, feature, styles.note, { ...list, baseline: top + index * step, ink: 'night', tag: 'LBody' }),
    ],
  }));
  return [...lines, { kind: 'group', tag: 'L', elements: items }];
}

/** Lays out one service: drawing, name, description and features. */
function shelfOf(typesetter: Typesetter, service: Service, index: number): PageElement[] {
  const y = index * shelf.height;
  const baseline = y + 45;
  const ink = 'night';
  const inks = shelfInks[index % shelfInks.length] ?? { paper: 'paper', rule: 'dune' };
  const title = setText(typesetter, service.title, styles.subheading, { ...words, baseline, ink, tag: 'H2' });
  return [
    band({ x: shelf.x, y, width: page.width - shelf.x, height: shelf.height }, inks.paper),
    {
      kind: 'picture',
      art: serviceArt[service.slug],
      box: { x: shelf.x, y, width: shelf.height, height: shelf.height },
    },
    title,
    setText(typesetter, service.description, styles.small, {
      ...words,
      baseline: below(title, 22.5, row / 2),
      bottom: y + shelf.height - row,
      ink,
    }),
    ...features(typesetter, service, baseline, inks.rule),
  ];
}

/** Lays out the steps of an engagement at the bottom of the left column. */
function engagement(typesetter: Typesetter, column: { readonly x: number; readonly width: number }): PageElement[] {
  const { ink, rule: ruleInk } = scheme;
  const { heading, steps } = home.engagement;
  const step = 27;
  const first = page.height - margin.bottom - (steps.length - 1) * step;
  return [
    setText(typesetter, heading, styles.client, { ...column, baseline: first - 36, ink, tag: 'H2' }),
    ...steps.map((_, index) => rule(column.x, first - 18 + index * step, column.width, ruleInk)),
    {
      kind: 'group',
      tag: 'L',
      elements: steps.map(({ title }, index) => ({
        kind: 'group',
        tag: 'LI',
        elements: [
          setText(typesetter, title, styles.note, { ...column, baseline: first + index * step, ink, tag: 'LBody' }),
        ],
      })),
    },
  ];
}

/** Lays out the page of the services, one above the other. */
export function servicesPage(typesetter: Typesetter, pageNumber: number): PageLayout {
  const column = { x: margin.side, width: shelf.x - margin.side - gutter };
  const heading = setText(typesetter, home.services.heading, styles.heading, {
    ...column,
    baseline: 126,
    bottom: 200,
    ink: scheme.ink,
    tag: 'H1',
  });
  return {
    title: home.services.heading,
    elements: [
      band(fullPage, scheme.paper),
      heading,
      setText(typesetter, home.services.introduction, styles.lead, {
        ...column,
        baseline: below(heading, 45, row),
        bottom: 306,
        ink: scheme.quiet,
      }),
      ...engagement(typesetter, column),
      ...services.flatMap((service, index) => shelfOf(typesetter, service, index)),
      folio(typesetter, pageNumber, { ...column, baseline: 54, ink: scheme.quiet }),
    ],
  };
}
