import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { VisitOptions } from './browser.ts';

/** Handed to a page before its own scripts: its content security policy lets nothing be added afterwards. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** For a visit that axe looks at. */
export const withAxe: VisitOptions = { scripts: [axe] };

/**
 * Waits for whatever fades or slides: axe would see colours on their way to others. What inherits a colour starts on its
 * way when its parent has arrived.
 */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let calmFrames = 0; calmFrames < 5;) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const moving = document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline);
      await Promise.allSettled(moving.map(({ finished }) => finished));
      calmFrames = moving.length > 0 ? 0 : calmFrames + 1;
    }
  });
}

/** All rules; of WCAG 2.2 AA axe leaves one out unless it is asked for. */
const allRules: RunOptions = { rules: { 'target-size': { enabled: true } } };

/** So many rules hold on every page, or axe has hardly looked at it. */
const minPasses = 15;

/** The rules that see colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Checks a page as it stands against WCAG 2.2 AA and axe's own best practices.
 * @param page - was opened with `withAxe`
 * @param without - rules that the state breaks on purpose
 * @throws with what axe finds, by rule and place, or when it has hardly looked at the page
 */
export async function expectAccessible(page: Page, state: string, without: readonly string[] = []): Promise<void> {
  await expectNoFindings(page, state, allRules, { without, atLeast: minPasses });
}

async function expectNoFindings(
  page: Page,
  state: string,
  rules: RunOptions,
  {
    without = [],
    atLeast = 1,
    part,
  }: { without?: readonly string[]; atLeast?: number; part?: string | undefined } = {},
): Promise<void> {
  await untilStill(page);
  // Only what is asked for leaves the page: the whole report takes longer to hand over than to make.
  const { violations, passes } = await page.evaluate(
    async ({ options, selector }) => {
      const { axe: checker } = window as unknown as {
        axe: { run: (place: Document | string, options: RunOptions) => Promise<AxeResults> };
      };
      // Without each place where a rule holds, whose selectors take a fifth of its time.
      const report = await checker.run(selector ?? document, { ...options, resultTypes: ['violations'] });
      return { violations: report.violations, passes: report.passes.length };
    },
    { options: rules, selector: part },
  );
  if (passes < atLeast) throw new Error(`${state}: axe has hardly looked at the page`);
  const broken = violations.filter(({ id }) => !without.includes(id));
  const findings = broken.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
  if (findings.length > 0) throw new Error(`${state}: axe finds\n${findings.join('\n')}`);
}

/**
 * Checks a page as it stands in wide and narrow windows, light and dark: all in one scheme, and in the other what
 * another scheme can change, the colours. The next window begins with the scheme that the last one ended with.
 * @param part - a selector: what alone has changed since axe saw the whole page
 * @throws with what axe finds
 */
export async function expectAccessibleEverywhere(
  page: Page,
  state: string,
  { widths = [1440, 390], part }: { readonly widths?: readonly number[]; readonly part?: string } = {},
): Promise<void> {
  const schemes: ('light' | 'dark')[] = ['light', 'dark'];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const [index, colorScheme] of schemes.entries()) {
      await page.emulateMedia({ colorScheme });
      const shown = `${state}, ${colorScheme}, ${width} px`;
      if (index > 0) await expectNoFindings(page, shown, { runOnly: colourRules }, { part });
      else await expectNoFindings(page, shown, allRules, { part, atLeast: part === undefined ? minPasses : 1 });
    }
    schemes.reverse();
  }
}

/**
 * Presses Tab until a field or button has the focus.
 * @param wanted - the field's name, or its label or the words on the button
 * @throws when Tab does not lead there, or its focus cannot be seen
 */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const { names, isSeen } = await page.evaluate(readFocus);
    if (!names.some((name) => (typeof wanted === 'string' ? name === wanted : wanted.test(name)))) continue;
    if (isSeen) return;
    // Its outline may just be on its way.
    await untilStill(page);
    if ((await page.evaluate(readFocus)).isSeen) return;
    throw new Error(`The focus on ${wanted} cannot be seen`);
  }
  throw new Error(`Tab does not lead to ${wanted}`);
}

/**
 * Types a text where the focus is. In a selection no more than tells its entry from the others: it would take what comes
 * after a pause for the beginning of another.
 */
export async function typeText(page: Page, text: string): Promise<void> {
  const typed = await page.evaluate((whole) => {
    const field = document.activeElement;
    if (!(field instanceof HTMLSelectElement)) return whole;
    const entries = [...field.options].map((entry) => entry.text);
    let length = 1;
    while (entries.filter((entry) => entry.startsWith(whole.slice(0, length))).length > 1) length++;
    return whole.slice(0, length);
  }, text);
  await page.keyboard.type(typed);
}

/** Runs in the page: what has the focus, and whether an outline or a ring shows it there or on the field around it. */
function readFocus(): { names: string[]; isSeen: boolean } {
  const element = document.activeElement;
  const labels =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
      ? [...(element.labels ?? [])]
      : [];
  const chain = [element, element?.parentElement, element?.parentElement?.parentElement].filter((each) => !!each);
  const isSeen = chain
    .flatMap((each) => [each, ...each.querySelectorAll('fieldset')])
    .some((each) => {
      const { outlineStyle, outlineWidth, boxShadow, borderTopWidth } = getComputedStyle(each);
      const hasOutline = outlineStyle !== 'none' && outlineWidth !== '0px';
      return hasOutline || boxShadow !== 'none' || (each.tagName === 'FIELDSET' && borderTopWidth === '2px');
    });
  const names = [
    element?.getAttribute('name'),
    element?.getAttribute('aria-label'),
    ...labels.map((label) => label.textContent),
    element?.textContent,
  ];
  return { names: names.flatMap((name) => (name ? [name.trim()] : [])), isSeen };
}
