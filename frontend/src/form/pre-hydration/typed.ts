import { honeypotField } from '@dune-tide/domain/spam';
import { draftKeeper } from '../draft-storage.ts';
import { clearQueuedClicks, hideLoadError, queueClick } from './presses.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/*
 * A form stands in the painted page before its code is there. What is typed then becomes its draft, and when it is sent
 * that press waits; the code that takes the form over goes on from there. Forms are known by their `data-form`.
 */

const painted = new WeakSet<HTMLFormElement>();
const takenOver = new WeakSet<HTMLFormElement>();

/** Keeps what the visitor has typed so far, and from now on does, into forms that nobody has taken over. */
export function keepEarlyForms(): void {
  for (const form of document.forms) {
    painted.add(form);
    for (const control of changedControls(form)) keepTyped(control);
  }
  // Captured: React stops what happens in a part of the page whose code is still to come.
  document.addEventListener(
    'input',
    ({ target }) => {
      if (!isControl(target)) return;
      keepTyped(target);
      // Whoever types on waits for nothing; and what is sent is what stood there at the press.
      clearQueuedClicks();
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
      if (showsDraft(form, id)) queueClick(form, event.submitter ?? form);
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
  if (!painted.has(form)) return {};
  return Object.fromEntries(changedControls(form).map(({ name, value }) => [name, value]));
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
