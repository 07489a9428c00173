import { untilInteractive } from '../../../src/browser/browser.ts';
import { onPage } from '../../../src/browser/browser-suite.ts';
import { until } from '@dune-tide/testkit/until';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

const moving = { reducedMotion: 'no-preference' } as const;

/** Properties that change without a new layout. All but `strokeDashoffset`, which draws a line, need no paint either. */
const cheap = ['transform', 'translate', 'rotate', 'scale', 'opacity', 'strokeDashoffset'];

/** Returns the properties that each animation changes, and its end in milliseconds; 0 if it follows the scrolling. */
const animations = (page: Page) =>
  page.evaluate(() =>
    document.getAnimations().map(({ effect, timeline }) => ({
      changes: (effect as KeyframeEffect)
        .getKeyframes()
        .flatMap((frame) => Object.keys(frame))
        .filter((key) => !['offset', 'computedOffset', 'easing', 'composite'].includes(key)),
      end: timeline instanceof DocumentTimeline ? Number(effect?.getComputedTiming().endTime) : 0,
    })),
  );

/** The home page's picture. It exists in two formats, of which one is visible. */
const picture = '#home div:has(> .sun):visible';

/** Returns the horizontal position of each layer of the visible picture. */
const layersOf = (page: Page): Promise<number[]> =>
  page
    .locator(`${picture} > *`)
    .evaluateAll((layers) => layers.map((layer) => Math.round(layer.getBoundingClientRect().left)));

/** Returns how far the top of the sun is below the top of the front layer, in pixels. */
const sunOf = (page: Page): Promise<number> =>
  page.locator(picture).evaluate(({ firstElementChild, lastElementChild }) => {
    const [sun, front] = [firstElementChild, lastElementChild].map((layer) =>
      Number(layer?.getBoundingClientRect().top),
    );
    return Math.round(Number(sun) - Number(front));
  });

async function movePointer(page: Page, x: number): Promise<void> {
  await page.mouse.move(x - 20, 500);
  await page.mouse.move(x, 500);
}

describe('Motion', () => {
  it(
    'needs no layout and ends within five seconds or follows the scrolling',
    onPage(
      '/',
      async ({ page }) => {
        for (const path of ['/', '/kingrose', '/careers', '/services/consulting']) {
          await page.goto(new URL(path, page.url()).href);
          await untilInteractive(page);
          for (const { changes, end } of await animations(page)) {
            for (const property of changes) expect(cheap, path).to.include(property);
            expect(end, path).to.be.at.most(5_000);
          }
        }
      },
      moving,
    ),
  );

  it(
    "of the home page's picture follows the pointer and the scroll position",
    onPage(
      '/',
      async ({ page }) => {
        await movePointer(page, 40);
        const left = await until('the layers have parted', async () => {
          const layers = await layersOf(page);
          return new Set(layers).size > 2 ? layers : undefined;
        });
        await movePointer(page, 1240);
        await until('the sun follows, the dunes in front go the other way', async () => {
          const right = await layersOf(page);
          return right[0]! > left[0]! && right.at(-1)! < left.at(-1)!;
        });
        const high = await sunOf(page);
        await page.evaluate(() => window.scrollTo(0, 500));
        await until('the sun sets', async () => (await sunOf(page)) > high + 40);
      },
      moving,
    ),
  );

  it(
    'does not exist if the visitor prefers reduced motion',
    onPage(
      '/',
      async ({ page }) => {
        expect(await animations(page)).to.deep.equal([]);
        const [before, sun] = [await layersOf(page), await sunOf(page)];
        await movePointer(page, 40);
        await page.evaluate(() => window.scrollTo(0, 500));
        await page.evaluate(
          () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
        );
        expect(await layersOf(page)).to.deep.equal(before);
        expect(await sunOf(page)).to.equal(sun);
      },
      { reducedMotion: 'reduce' },
    ),
  );

  it(
    'between pages is a view transition, except with reduced motion',
    onPage(
      '/',
      async ({ page }) => {
        const moved = () => page.evaluate(() => (window as unknown as { moved: Promise<number> }).moved);
        await page.getByRole('link', { name: 'KingRose' }).first().click();
        await page.getByRole('heading', { level: 1, name: /bearings/ }).waitFor();
        expect(await moved()).to.be.above(0);
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await page.locator('footer').getByRole('link', { name: 'Careers' }).click();
        await page.getByRole('heading', { level: 1, name: /^Grow/ }).waitFor();
        expect(await moved()).to.equal(0);
      },
      {
        ...moving,
        scripts: [
          `const start = Document.prototype.startViewTransition;
Document.prototype.startViewTransition = function (...options) {
  const transition = start.apply(this, options);
  // React adds animations without a duration.
  const ofTransition = ({ effect }) =>
    effect.pseudoElement?.startsWith('::view-transition') && effect.getComputedTiming().endTime > 0;
  window.moved = transition.ready.then(() => document.getAnimations().filter(ofTransition).length);
  return transition;
};`,
        ],
      },
    ),
  );
});

describe('The navigation bar', () => {
  it(
    'has dark colours over dark bands and light ones over the others',
    onPage('/', async ({ page }) => {
      const bar = page.locator('header');
      const toneAt = (section: string, tone: string | null) =>
        until(`the tone over ${section}`, async () => {
          await page.locator(section).evaluate((band) => band.scrollIntoView({ behavior: 'instant', block: 'start' }));
          await page.evaluate(() => window.scrollBy({ top: 120, behavior: 'instant' }));
          return (await bar.getAttribute('data-tone')) === tone;
        });
      await toneAt('#services', null);
      await toneAt('section[aria-labelledby="engagement-heading"]', 'night');
      await toneAt('#portfolio', null);
      await toneAt('#contact', 'night');
    }),
  );
});
