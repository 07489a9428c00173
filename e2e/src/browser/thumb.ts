import { until } from '@dune-tide/testkit/until';
import type { Locator, Page } from 'playwright-core';

/** The effort of an errand on a phone. */
export interface Effort {
  /** The distance scrolled by hand, in heights of the window. Scrolling that a link causes does not count. */
  readonly screens: number;
  /** Presses on the page and in the lists of selections. Keys of the keyboard do not count. */
  readonly presses: number;
}

/** A visitor who operates a page with one thumb. */
export interface Thumb {
  /** Scrolls a control into view, if it is not, and presses it. @param leadsTo - waits until this is in view */
  press(control: Locator, leadsTo?: Locator): Promise<void>;
  /** Fills in the fields of a form in the given order, by label. */
  fillIn(form: Locator, values: readonly (readonly [label: RegExp, value: string])[]): Promise<void>;
  /** Returns the effort so far. */
  effort(): Effort;
}

/** @param page - of a visit with a touch screen */
export function thumbOn(page: Page): Thumb {
  let screens = 0;
  let presses = 0;

  /** Scrolls by hand until a control can be pressed: it is in the window, and nothing covers it. */
  async function reach(control: Locator): Promise<void> {
    screens += await control.evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const middle = (top + bottom) / 2;
      const isWhole = top >= 0 && bottom <= innerHeight;
      if (isWhole && element.contains(document.elementFromPoint((left + right) / 2, middle))) return 0;
      const before = scrollY;
      window.scrollBy({ top: middle - innerHeight / 2, behavior: 'instant' });
      return Math.abs(scrollY - before) / innerHeight;
    });
  }

  const isInView = (place: Locator): Promise<boolean> =>
    place.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < innerHeight / 2;
    });

  async function press(control: Locator, leadsTo?: Locator): Promise<void> {
    await control.waitFor();
    await reach(control);
    await control.tap();
    presses += 1;
    if (!leadsTo) return;
    await leadsTo.waitFor();
    await until('the place that was pressed for', () => isInView(leadsTo));
  }

  return {
    press,
    async fillIn(form, values) {
      for (const [label, value] of values) {
        const field = form.getByLabel(label);
        if ((await field.getAttribute('role')) === 'radiogroup') {
          await press(field.locator('label', { has: page.locator(`[value="${value}"]`) }));
        } else if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') {
          await reach(field);
          await field.selectOption(value);
          presses += 2;
        } else {
          await press(field);
          await field.fill(value);
        }
      }
    },
    effort: () => ({ screens, presses }),
  };
}
