import type { Locator, Page } from 'playwright-core';

/** State of a field for assistive technology: its message and whether it is invalid. */
export interface FieldState {
  readonly message: string;
  readonly isInvalid: boolean;
}

/** A form on a page, with its fields found by label. */
export interface FormPage<Field extends string> {
  readonly form: Locator;
  readonly sendButton: Locator;
  readonly toasts: Locator;
  /** Returns a field; for radio buttons, the whole group. */
  readonly field: (name: Field) => Locator;
  readonly put: (name: Field, value: string) => Promise<void>;
  readonly fill: (values: Readonly<Partial<Record<Field, string>>>) => Promise<void>;
  /** Reads the current values. */
  readonly typed: () => Promise<Record<Field, string>>;
  readonly stateOf: (name: Field) => Promise<FieldState>;
  /** Blurs the focused field. */
  readonly leave: () => Promise<void>;
  /** Returns the options of a select without the placeholder, as value and label. */
  readonly optionsOf: (name: Field) => Promise<(readonly [value: string, label: string])[]>;
}

/**
 * @param page - the page with the form
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
    // A chosen option cannot be cleared: focus the group without choosing.
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
      // The hint precedes the message.
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
