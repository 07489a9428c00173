import type { Page } from 'playwright-core';
import { settle, type Shot } from './shot.ts';

const scrollTo = (page: Page, top: number): Promise<void> =>
  page.evaluate((to) => window.scrollTo({ top: to, behavior: 'instant' }), top);

const pointerSteps = [40, 400, 720, 1040, 1400].map((x) => (page: Page) => page.mouse.move(x, 400));

const strips: readonly Shot[] = [
  {
    name: 'motion-home-scroll',
    path: '/',
    steps: [0, 160, 320, 480, 640].map((top) => (page: Page) => scrollTo(page, top)),
  },
  { name: 'motion-home-pointer', path: '/', reach: (page) => scrollTo(page, 480), steps: pointerSteps },
  { name: 'motion-kingrose-pointer', path: '/kingrose', steps: pointerSteps },
  {
    name: 'motion-page-change',
    path: '/',
    reach: (page) => page.locator('header').getByRole('link', { name: 'KingRose' }).click(),
    steps: [0, 40, 80, 140, 200].map((time) => (page: Page) => holdPageChange(page, time)),
  },
];

/**
 * Stops the transition between two pages at a time.
 * @param time - since its start, in ms
 */
async function holdPageChange(page: Page, time: number): Promise<void> {
  await page.waitForFunction(
    (at) => {
      const transition = document
        .getAnimations()
        .filter(({ effect }) => effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-'));
      for (const animation of transition) {
        animation.pause();
        animation.currentTime = at;
      }
      return transition.length > 0;
    },
    time,
    { polling: 'raf' },
  );
}

/** The motion of the site, each as a strip of frames. */
export const motions: readonly Shot[] = strips.flatMap((motion) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    ...motion,
    name: `${motion.name}-1440-${colorScheme}`,
    options: { width: 1440, height: 900, colorScheme, reducedMotion: 'no-preference' as const },
  })),
);

/** Takes the window after each step of a motion, and puts the frames side by side. */
export async function takeStrip(page: Page, steps: NonNullable<Shot['steps']>, path: string): Promise<void> {
  const frames: Buffer[] = [];
  for (const step of steps) {
    await step(page);
    await settle(page);
    frames.push(await page.screenshot());
  }
  const strip = await page.context().newPage();
  await strip.setViewportSize({ width: frames.length * 480, height: 300 });
  const images = frames.map((frame) => `<img src="data:image/png;base64,${frame.toString('base64')}">`).join('');
  await strip.setContent(`<style>body{margin:0;display:flex;gap:8px}img{flex:1;min-width:0}</style>${images}`);
  await strip.screenshot({ path, fullPage: true });
}
