import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { prepare } from '@dune-tide/domain/forms/validation';
import type { FormApi } from 'final-form';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from 'react-final-form';
import { draftKeeper, type DraftValue, isDraftValue } from './draft-storage.ts';
import { takeOver } from './pre-hydration/typed.ts';
import type { SubmissionKey } from './idempotency-key.ts';

interface FormDraftProps {
  /** Of the draft, on its page. */
  readonly name: string;
  /** Its page. */
  readonly path: string;
  readonly schema: FormSchema;
  /** Of what the form began with, where that is stored already. */
  readonly version?: number | undefined;
  readonly submission: SubmissionKey;
  readonly element: RefObject<HTMLFormElement | null>;
}

/**
 * Keeps what is typed into a form over a reload, in the tab's storage, with the key of its submission and without
 * passwords, and goes on with what was typed before any code was there. It stands after the form's element.
 */
export function FormDraft({ name, path, schema, version, submission, element }: FormDraftProps) {
  const form = useForm();
  const [, setIsTakenOver] = useState(false);
  const typed = useRef<Readonly<Record<string, DraftValue>>>({});
  /** Fields that the visitor filled in and left before any code was there. */
  const left = useRef<readonly string[]>([]);

  // Before anything renders again, which would put the empty values back into the painted page's fields.
  useLayoutEffect(() => {
    const keeper = draftKeeper(path, name);
    const draft = keeper.read();
    if (draft?.idempotencyKey !== undefined) submission.resume(draft.idempotencyKey);
    const early = element.current ? takeOver(element.current) : {};
    const active = document.activeElement?.getAttribute('name');
    left.current = Object.keys(early).filter((field) => field !== active);
    typed.current = { ...draft?.values, ...early };
    putInto(form, schema, typed.current);
    // Has React run the fields' effects and render them at once: a key that comes before would meet empty fields.
    // oxlint-disable-next-line react/set-state-in-effect -- the second render is what is wanted
    setIsTakenOver(true);
    const stopKeeping = form.subscribe(
      ({ values: current, pristine, initialValues = {} }) => {
        if (pristine) return keeper.clear();
        keeper.write({
          // An emptied field is none any more, and would come back with what it began with.
          values: { ...blanks(initialValues), ...keepable(schema, current) },
          idempotencyKey: submission.current(),
          ...(version !== undefined && { begunFrom: { version, values: keepable(schema, initialValues) } }),
        });
      },
      // A failed try may have changed the key.
      { values: true, pristine: true, submitting: true, initialValues: true },
    );
    // Sent before the visitor went to another page and came back.
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

  // Fields put their initial value into the form when they register, which is after the layout and before this.
  useEffect(() => {
    putInto(form, schema, typed.current);
    for (const field of left.current) form.blur(field);
  }, [form, schema]);

  return null;
}

function putInto(form: FormApi, schema: FormSchema, values: Readonly<Record<string, DraftValue>>): void {
  form.batch(() => {
    for (const [field, value] of Object.entries(values)) {
      // As when a field is emptied.
      if (Object.hasOwn(schema.properties, field)) form.change(field, value === '' ? undefined : value);
    }
  });
}

/** What is sent of a form's values, as a text to compare. */
export function contentOf(schema: FormSchema, values: unknown): string {
  return JSON.stringify(prepare(schema, values)) ?? '';
}

/** The same of what a draft of them keeps. */
export function keptContentOf(schema: FormSchema, values: object): string {
  return contentOf(schema, keepable(schema, values));
}

const blanks = (values: object): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((field) => [field, '']));

/** The texts and choices among the values, without passwords. */
function keepable(schema: FormSchema, values: object): Record<string, DraftValue> {
  const kept: Record<string, DraftValue> = {};
  for (const [field, value] of Object.entries(values) as [string, unknown][]) {
    if (isDraftValue(value) && schema.properties[field]?.writeOnly !== true) kept[field] = value;
  }
  return kept;
}
