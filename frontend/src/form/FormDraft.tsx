import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { prepare } from '@dune-tide/domain/forms/validation';
import type { FormApi } from 'final-form';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from 'react-final-form';
import { draftKeeper, type DraftValue, isDraftValue } from './draft-storage.ts';
import { takeOver } from './pre-hydration/typed.ts';
import type { SubmissionKey } from './idempotency-key.ts';

interface FormDraftProps {
  /** The draft's name, unique on its page. */
  readonly name: string;
  /** The path of the page. */
  readonly path: string;
  readonly schema: FormSchema;
  /** The stored version of the initial values, if they are stored. */
  readonly version?: number | undefined;
  readonly submission: SubmissionKey;
  readonly element: RefObject<HTMLFormElement | null>;
}

/**
 * Stores the form's values in the tab's storage, so that they survive a reload, with the key of the submission and
 * without passwords. Restores values that the visitor typed before the code had loaded. Render it after the form's
 * element.
 */
export function FormDraft({ name, path, schema, version, submission, element }: FormDraftProps) {
  const form = useForm();
  const [, setIsTakenOver] = useState(false);
  const typed = useRef<Readonly<Record<string, DraftValue>>>({});
  /** Fields that the visitor filled in and left before the code had loaded. */
  const left = useRef<readonly string[]>([]);

  // Before the next render, which would reset the fields of the prerendered page to empty values.
  useLayoutEffect(() => {
    const keeper = draftKeeper(path, name);
    const draft = keeper.read();
    if (draft?.idempotencyKey !== undefined) submission.resume(draft.idempotencyKey);
    const early = element.current ? takeOver(element.current) : {};
    const active = document.activeElement?.getAttribute('name');
    left.current = Object.keys(early).filter((field) => field !== active);
    typed.current = { ...draft?.values, ...early };
    putInto(form, schema, typed.current);
    // Renders the fields and runs their effects synchronously. Otherwise the next keystroke would go into empty fields.
    // oxlint-disable-next-line react/set-state-in-effect -- the second render is intended
    setIsTakenOver(true);
    const stopKeeping = form.subscribe(
      ({ values: current, pristine, initialValues = {} }) => {
        if (pristine) return keeper.clear();
        keeper.write({
          // An emptied field is missing from the values and would be restored to its initial value.
          values: { ...blanks(initialValues), ...keepable(schema, current) },
          idempotencyKey: submission.current(),
          ...(version !== undefined && { begunFrom: { version, values: keepable(schema, initialValues) } }),
        });
      },
      // A failed attempt may have changed the key.
      { values: true, pristine: true, submitting: true, initialValues: true },
    );
    // Handles a form that was sent before the visitor left the page and returned.
    const stopListening = keeper.onStored((content) => {
      const { submitting, values } = form.getState();
      if (submitting || keptContentOf(schema, values) !== content) return;
      submission.settled();
      form.restart();
    });
    return () => {
      stopKeeping();
      stopListening();
    };
  }, [form, name, path, schema, version, submission, element]);

  // Fields register their initial values after the layout effect and before this one.
  useEffect(() => {
    putInto(form, schema, typed.current);
    for (const field of left.current) form.blur(field);
  }, [form, schema]);

  return null;
}

function putInto(form: FormApi, schema: FormSchema, values: Readonly<Record<string, DraftValue>>): void {
  form.batch(() => {
    for (const [field, value] of Object.entries(values)) {
      // An emptied field is undefined in final-form.
      if (Object.hasOwn(schema.properties, field)) form.change(field, value === '' ? undefined : value);
    }
  });
}

/** Returns the values that would be sent, as a text to compare. */
export function contentOf(schema: FormSchema, values: unknown): string {
  return JSON.stringify(prepare(schema, values)) ?? '';
}

/** Returns the same text without the values that a draft does not keep. */
export function keptContentOf(schema: FormSchema, values: object): string {
  return contentOf(schema, keepable(schema, values));
}

const blanks = (values: object): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((field) => [field, '']));

/** Returns the texts and choices among the values, without passwords. */
function keepable(schema: FormSchema, values: object): Record<string, DraftValue> {
  const kept: Record<string, DraftValue> = {};
  for (const [field, value] of Object.entries(values) as [string, unknown][]) {
    if (isDraftValue(value) && schema.properties[field]?.writeOnly !== true) kept[field] = value;
  }
  return kept;
}
