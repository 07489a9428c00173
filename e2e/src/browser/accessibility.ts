import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { VisitOptions } from './browser.ts';
import { untilStill } from './still.ts';

/** Added to a page before its scripts, because its content security policy rejects later additions. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Options for a visit that axe checks. */
export const withAxe: VisitOptions = { scripts: [axe] };

/** All rules. axe excludes target-size (WCAG 2.2 AA) by default. */
const allRules: RunOptions = { rules: { 'target-size': { enabled: true } } };

/** At least this many rules pass on every page; with fewer, axe has checked almost nothing. */
const minPasses = 15;

/**
 * Checks the current state of a page against WCAG 2.2 AA and axe's best practices.
 * @param page - opened with `withAxe`
 * @param without - rules that the state breaks intentionally
 * @throws with the violations by rule and element, or if axe checked too little
 */
export async function expectAccessible(page: Page, state: string, without: readonly string[] = []): Promise<void> {
  await expectNoFindings(page, state, { without, atLeast: minPasses });
}

async function expectNoFindings(
  page: Page,
  state: string,
  { without = [], atLeast, part }: { without?: readonly string[]; atLeast: number; part?: string | undefined },
): Promise<void> {
  await untilStill(page);
  // Return only the needed data: the full report takes longer to transfer than to create.
  const { violations, passes } = await page.evaluate(
    async ({ options, selector }) => {
      const { axe: checker } = window as unknown as {
        axe: { run: (place: Document | string, options: RunOptions) => Promise<AxeResults> };
      };
      // Without the list of passing elements, whose selectors take a fifth of the time.
      const report = await checker.run(selector ?? document, { ...options, resultTypes: ['violations'] });
      return { violations: report.violations, passes: report.passes.length };
    },
    { options: allRules, selector: part },
  );
  if (passes < atLeast) throw new Error(`${state}: axe checked too few rules`);
  const broken = violations.filter(({ id }) => !without.includes(id));
  const findings = broken.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
  if (findings.length > 0) throw new Error(`${state}: axe found\n${findings.join('\n')}`);
}

/**
 * Checks the current state of a page once for each colour scheme: light in a wide window, dark in a narrow one.
 * @param widths - of the light window and of the dark one; a single width is that of both
 * @param part - selector of the only part that changed since axe checked the whole page
 * @throws with the violations
 */
export async function expectAccessibleEverywhere(
  page: Page,
  state: string,
  { widths = [1440, 390], part }: { readonly widths?: readonly [number, number?]; readonly part?: string } = {},
): Promise<void> {
  const [light, dark = light] = widths;
  for (const [colorScheme, width] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await expectNoFindings(page, `${state}, ${colorScheme}, ${width} px`, {
      part,
      atLeast: part === undefined ? minPasses : 1,
    });
  }
}

/**
 * Presses Tab until a field or button has the focus.
 * @param wanted - the field's name, or the label of the field or button
 * @throws if Tab does not reach it, or its focus is not visible
 */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const { names, isSeen } = await page.evaluate(readFocus);
    if (!names.some((name) => (typeof wanted === 'string' ? name === wanted : wanted.test(name)))) continue;
    if (isSeen) return;
    // Its outline may be animated.
    await untilStill(page);
    if ((await page.evaluate(readFocus)).isSeen) return;
    throw new Error(`The focus on ${wanted} is not visible`);
  }
  throw new Error(`Tab does not reach ${wanted}`);
}

/**
 * Types a text into the focused element. In a select, types only enough to identify the entry: a text typed after a
 * pause would start a new search.
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

/** Runs in the page: finds the focused element and whether an outline or ring is visible on it or on its field. */
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
