import { draftKeeper } from './drafts.ts';

/*
 * A form stands in the painted page before its code is there. What is typed then becomes its draft, and when it is sent
 * that is noted; the code that takes the form over goes on from there. Forms are known by their `data-form`.
 */

const takenOver = new WeakSet<HTMLFormElement>();
const sent = new Set<string>();

/** Keeps what the visitor has typed so far, and from now on does, into forms that nobody has taken over. */
export function keepEarlyForms(): void {
  for (const form of document.forms) if ([...form.elements].some(isChanged)) keepTyped(form);
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest('form') : null;
    if (form) keepTyped(form);
  });
  document.addEventListener(
    'submit',
    (event) => {
      const id = event.target instanceof HTMLFormElement ? earlyId(event.target) : undefined;
      if (id === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      sent.add(id);
    },
    { capture: true },
  );
}

/**
 * Says that a form's code is there.
 * @returns whether the visitor has tried to send the form before
 */
export function takeOver(form: HTMLFormElement): boolean {
  takenOver.add(form);
  return sent.delete(form.dataset['form'] ?? '');
}

/** @returns undefined for a form whose code is there */
function earlyId(form: HTMLFormElement): string | undefined {
  return takenOver.has(form) ? undefined : form.dataset['form'];
}

function keepTyped(form: HTMLFormElement): void {
  const id = earlyId(form);
  if (id !== undefined) draftKeeper(location.pathname, id).write({ values: typedTexts(form) });
}

/** Whether a field differs from what the build painted. */
function isChanged(control: Element): boolean {
  if (control instanceof HTMLSelectElement) {
    return [...control.options].some((option) => option.selected && !option.defaultSelected);
  }
  if (control instanceof HTMLInputElement && control.type === 'radio')
    return control.checked !== control.defaultChecked;
  const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
  return isText && control.value !== control.defaultValue;
}

/** What stands in a form's fields, but for passwords. */
function typedTexts(form: HTMLFormElement): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [field, value] of new FormData(form)) {
    const control = form.elements.namedItem(field);
    const isPassword = control instanceof HTMLInputElement && control.type === 'password';
    if (typeof value === 'string' && value !== '' && !isPassword) texts[field] = value;
  }
  return texts;
}
