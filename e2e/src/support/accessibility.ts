import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Handed to a page before its own scripts: its content security policy lets nothing be added afterwards. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds against WCAG 2.2 AA and its own best practices on a page as it stands, by rule and place.
 * @param page - was opened with the script `axe`
 * @throws when axe has hardly looked at the page
 */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const { violations, passes } = await page.evaluate(async () => {
    // Colours that are still changing would be judged half-way; what inherits one starts when its parent has ended.
    for (let calmFrames = 0; calmFrames < 5;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const moving = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
      await Promise.allSettled(moving.map(({ finished }) => finished));
      calmFrames = moving.length > 0 ? 0 : calmFrames + 1;
    }
    return (window as unknown as { axe: { run: () => Promise<AxeResults> } }).axe.run();
  });
  if (passes.length < 15) throw new Error('axe has hardly looked at the page');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

/** The findings in wide and narrow windows, light and dark. */
export async function accessibilityFindingsEverywhere(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      found.push(...(await accessibilityFindings(page)).map((finding) => `${colorScheme}, ${width} px: ${finding}`));
    }
  }
  return found;
}

/**
 * Presses Tab until a field or button has the focus.
 * @param name - of the field, or the words on the button
 * @throws when Tab does not lead there, or its focus cannot be seen
 */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      const chain = [element, element?.parentElement, element?.parentElement?.parentElement].filter((each) => !!each);
      const isSeen = chain.some((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      });
      return { name: element?.getAttribute('name') ?? element?.textContent ?? '', isSeen };
    });
    if (focus.name !== name) continue;
    if (!focus.isSeen) throw new Error(`The focus on ${name} cannot be seen`);
    return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}
