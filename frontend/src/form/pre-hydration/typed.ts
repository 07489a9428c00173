import { honeypotField } from '@dune-tide/domain/spam';
import { type Control, isControl } from '../controls.ts';
import { draftKeeper } from '../draft-storage.ts';
import { clearPresses, formKey, hideLoadError, queuePress } from './presses.ts';

/*
 * The prerendered page contains forms whose code has not loaded yet. Text that the visitor types into them is stored as
 * their draft, and a submission is queued; the form's code continues from there. Forms are identified by `data-form`,
 * because React renders a form again if another program has changed the page.
 */

let paintedForms: readonly HTMLFormElement[] = [];
const takenOver = new WeakSet<HTMLFormElement>();

/** The focused field of a prerendered form. */
let focused: Control | undefined;
/** Its selection, kept because a removed field has none. */
let caret: readonly [start: number | null, end: number | null] = [null, null];

/** Stores text that the visitor has typed or types into forms whose code has not loaded yet. */
export function keepEarlyForms(): void {
  paintedForms = [...document.forms];
  for (const form of paintedForms) {
    for (const control of changedControls(form)) keepTyped(control);
  }
  document.addEventListener('focusin', ({ target }) => (focused = isControl(target) ? target : undefined), {
    capture: true,
  });
  for (const type of ['selectionchange', 'input', 'keyup'])
    document.addEventListener(type, noteCaret, { capture: true });
  document.addEventListener(
    'focusout',
    ({ target }) =>
      queueMicrotask(() => {
        // A field that was removed from the page has not been left.
        if (target === focused && focused?.isConnected) focused = undefined;
      }),
    { capture: true },
  );
  // Capturing, because React stops events in a part of the page whose code has not loaded yet.
  document.addEventListener(
    'input',
    ({ target }) => {
      if (!isControl(target)) return;
      keepTyped(target);
      // Typing cancels a queued submission, because the form must send the values at the time of the click.
      clearPresses();
    },
    { capture: true },
  );
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement)) return;
      const id = earlyId(form);
      if (id === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (showsDraft(form, id)) queuePress(formKey(form), event.submitter ?? form);
    },
    { capture: true },
  );
}

/**
 * Marks a form's code as loaded.
 * @returns the values in the prerendered fields. They may be newer than the draft: a click on an option checks it
 * before any event fires, and that click may start the form
 */
export function takeOver(form: HTMLFormElement): Readonly<Record<string, string>> {
  takenOver.add(form);
  hideLoadError();
  const before = paintedForms.find((each) => !each.isConnected && each.dataset['form'] === form.dataset['form']);
  if (before && !takenOver.has(before)) moveVisitor(before, form);
  else if (!paintedForms.includes(form)) return {};
  return Object.fromEntries(changedControls(form).map(({ name, value }) => [name, value]));
}

/** Copies the visitor's values, focus and selection from the prerendered form to the form that replaced it. */
function moveVisitor(before: HTMLFormElement, form: HTMLFormElement): void {
  takenOver.add(before);
  const successor = ({ name, type, value }: Control): Control | undefined =>
    [...form.elements]
      .filter(isControl)
      .find((control) => control.name === name && (type !== 'radio' || control.value === value));
  for (const control of changedControls(before)) {
    const field = successor(control);
    if (!field) continue;
    if (field instanceof HTMLInputElement && field.type === 'radio') field.checked = true;
    else field.value = control.value;
  }
  if (focused?.form !== before || document.activeElement !== document.body) return;
  const field = successor(focused);
  field?.focus({ preventScroll: true });
  if (hasCaret(field)) field.setSelectionRange(...caret);
}

function noteCaret(): void {
  if (focused?.isConnected) caret = hasCaret(focused) ? [focused.selectionStart, focused.selectionEnd] : [null, null];
}

/** Returns whether a field has a selection that can be set. Email fields have none. */
function hasCaret(field: Control | undefined): field is HTMLInputElement | HTMLTextAreaElement {
  return field !== undefined && 'selectionStart' in field && field.selectionStart !== null;
}

/** @returns undefined for a form whose code has loaded */
function earlyId(form: HTMLFormElement): string | undefined {
  return takenOver.has(form) ? undefined : form.dataset['form'];
}

function keepTyped(control: Control): void {
  const id = control.form ? earlyId(control.form) : undefined;
  if (id === undefined || !isVisitorField(control) || control.type === 'password') return;
  const keeper = draftKeeper(location.pathname, id);
  const draft = keeper.read();
  keeper.write({ ...draft, values: { ...draft?.values, [control.name]: control.value } });
}

/** Returns whether the form shows its whole draft. After a return to the page some values may not be restored yet. */
function showsDraft(form: HTMLFormElement, id: string): boolean {
  const shown = new FormData(form);
  const draft = draftKeeper(location.pathname, id).read()?.values ?? {};
  return Object.entries(draft).every(([name, value]) => (shown.get(name) ?? '') === value);
}

/** Excludes the honeypot: its value stays in the field until the form is sent. */
function isVisitorField({ name }: Control): boolean {
  return name !== '' && name !== honeypotField;
}

/** Returns the fields that differ from the prerendered page; for a group of options, the checked one. */
function changedControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(isControl).filter((control) => isVisitorField(control) && isChanged(control));
}

function isChanged(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const chosen = [...control.options].find((option) => option.defaultSelected) ?? control.options[0];
    return control.value !== chosen?.value;
  }
  if (control.type === 'radio')
    return control instanceof HTMLInputElement && control.checked && !control.defaultChecked;
  return control.value !== control.defaultValue;
}
