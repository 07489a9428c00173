import type { Locator, Page } from 'playwright-core';

/** What a reader of the screen hears of a field: its message and whether it is faulty. */
export interface FieldState {
  readonly message: string;
  readonly isInvalid: boolean;
}

/** A field that nothing is wrong with. */
export const fine: FieldState = { message: '', isInvalid: false };

/** A form on a page as a visitor meets it: its fields by their labels. */
export interface FormPage<Field extends string> {
  readonly form: Locator;
  readonly sendButton: Locator;
  readonly toasts: Locator;
  /** A field; of options that are all in sight the whole group. */
  readonly field: (name: Field) => Locator;
  readonly put: (name: Field, value: string) => Promise<void>;
  readonly fill: (values: Readonly<Partial<Record<Field, string>>>) => Promise<void>;
  /** What stands in the fields now. */
  readonly typed: () => Promise<Record<Field, string>>;
  readonly stateOf: (name: Field) => Promise<FieldState>;
  /** Takes the focus away from the field that has it. */
  readonly leave: () => Promise<void>;
  /** The entries of a selection but its placeholder, as value and label. */
  readonly optionsOf: (name: Field) => Promise<(readonly [value: string, label: string])[]>;
}

/**
 * @param page - where the form stands
 * @param name - the form's accessible name
 * @param labels - the label of each field, in the order of the form
 */
export function formOn<Field extends string>(
  page: Page,
  name: string,
  labels: Readonly<Record<Field, RegExp>>,
): FormPage<Field> {
  const form = page.getByRole('form', { name });
  const names = Object.keys(labels) as Field[];
  const field = (each: Field): Locator => form.getByLabel(labels[each]);
  const sortOf = (each: Field): Promise<'selection' | 'group' | 'text'> =>
    field(each).evaluate((element) => {
      if (element.getAttribute('role') === 'radiogroup') return 'group';
      return element.tagName === 'SELECT' ? 'selection' : 'text';
    });
  const put = async (each: Field, value: string): Promise<void> => {
    const sort = await sortOf(each);
    if (sort === 'selection') await field(each).selectOption(value);
    else if (sort === 'text') await field(each).fill(value);
    // An option cannot be taken back: nothing is chosen by going there only.
    else if (value === '') await field(each).getByRole('radio').first().focus();
    else await field(each).locator(`[value="${value}"]`).check();
  };
  const valueOf = async (each: Field): Promise<string> => {
    if ((await sortOf(each)) !== 'group') return field(each).inputValue();
    const chosen = await field(each).locator(':checked').all();
    return chosen[0] ? chosen[0].inputValue() : '';
  };
  return {
    form,
    sendButton: form.locator('button[type="submit"]'),
    toasts: page.getByRole('region', { name: /Notifications/ }),
    field,
    put,
    async fill(values) {
      for (const each of names) {
        const value = values[each];
        if (value !== undefined) await put(each, value);
      }
    },
    async typed() {
      const entries: [string, string][] = [];
      for (const each of names) entries.push([each, await valueOf(each)]);
      return Object.fromEntries(entries) as Record<Field, string>;
    },
    async stateOf(each) {
      const describedBy = (await field(each).getAttribute('aria-describedby')) ?? '';
      // A hint comes before the message.
      const messageId = describedBy.split(' ').at(-1) ?? '';
      return {
        message: (await page.locator(`[id="${messageId}"]`).textContent()) ?? '',
        isInvalid: (await field(each).getAttribute('aria-invalid')) === 'true',
      };
    },
    leave: () =>
      page.evaluate(() => {
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }),
    optionsOf: (each) =>
      field(each)
        .locator('option')
        .evaluateAll((entries) =>
          entries.slice(1).map((entry) => [(entry as HTMLOptionElement).value, entry.textContent ?? ''] as const),
        ),
  };
}
