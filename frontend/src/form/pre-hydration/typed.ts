import { honeypotField } from '@dune-tide/domain/spam';
import { draftKeeper } from '../draft-storage.ts';
import { clearPresses, formKey, hideLoadError, queuePress } from './presses.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/*
 * A form stands in the painted page before its code is there. What is typed then becomes its draft, and when it is sent
 * that press waits; the code that takes the form over goes on from there. Forms are known by their `data-form`: React
 * renders a form again if another program has changed the page.
 */

let paintedForms: readonly HTMLFormElement[] = [];
const takenOver = new WeakSet<HTMLFormElement>();

/** The field of a painted form that the visitor is in. */
let focused: Control | undefined;
/** Where its caret is: a field that is taken away has none. */
let caret: readonly [start: number | null, end: number | null] = [null, null];

/** Keeps what the visitor has typed so far, and from now on does, into forms that nobody has taken over. */
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
        // A field that is taken away has not been left.
        if (target === focused && focused?.isConnected) focused = undefined;
      }),
    { capture: true },
  );
  // Captured: React stops what happens in a part of the page whose code is still to come.
  document.addEventListener(
    'input',
    ({ target }) => {
      if (!isControl(target)) return;
      keepTyped(target);
      // Whoever types on waits for nothing; and what is sent is what stood there at the press.
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
 * Says that a form's code is there.
 * @returns what the visitor has put into the painted fields. It may be newer than the draft: a press on an option checks
 * it before any event says so, and that press may be what starts the form
 */
export function takeOver(form: HTMLFormElement): Readonly<Record<string, string>> {
  takenOver.add(form);
  hideLoadError();
  const before = paintedForms.find((each) => !each.isConnected && each.dataset['form'] === form.dataset['form']);
  if (before && !takenOver.has(before)) moveVisitor(before, form);
  else if (!paintedForms.includes(form)) return {};
  return Object.fromEntries(changedControls(form).map(({ name, value }) => [name, value]));
}

/** Puts what the visitor typed into the form that was rendered in the painted one's place, with the caret and the focus. */
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

/** Whether a field has a caret that can be set: an email field has none. */
function hasCaret(field: Control | undefined): field is HTMLInputElement | HTMLTextAreaElement {
  return field !== undefined && 'selectionStart' in field && field.selectionStart !== null;
}

/** @returns undefined for a form whose code is there */
function earlyId(form: HTMLFormElement): string | undefined {
  return takenOver.has(form) ? undefined : form.dataset['form'];
}

function keepTyped(control: Control): void {
  const id = control.form ? earlyId(control.form) : undefined;
  if (id === undefined || !isAnswer(control) || control.type === 'password') return;
  const keeper = draftKeeper(location.pathname, id);
  const draft = keeper.read();
  keeper.write({ ...draft, values: { ...draft?.values, [control.name]: control.value } });
}

/** Whether the visitor sees all of the draft: of an earlier visit to the page, some of it may be still to come. */
function showsDraft(form: HTMLFormElement, id: string): boolean {
  const shown = new FormData(form);
  const draft = draftKeeper(location.pathname, id).read()?.values ?? {};
  return Object.entries(draft).every(([name, value]) => (shown.get(name) ?? '') === value);
}

function isControl(element: EventTarget | null): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/** Not what a program put into the honeypot: that stays where it is until the form is sent. */
function isAnswer({ name }: Control): boolean {
  return name !== '' && name !== honeypotField;
}

/** The fields that differ from what the build painted; of a group of options the one that is chosen. */
function changedControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(isControl).filter((control) => isAnswer(control) && isChanged(control));
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
