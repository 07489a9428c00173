import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { useLayoutEffect } from 'react';
import { useForm } from 'react-final-form';
import { draftKeeper } from '../../lib/drafts.ts';
import type { SubmissionKey } from '../../lib/submission-key.ts';

interface FormDraftProps {
  readonly schema: FormSchema;
  readonly submission: SubmissionKey;
}

/**
 * Keeps what is typed into a form over a reload, in the tab's storage, with the key of its submission and without
 * passwords, and goes on with what was typed before any code was there. It stands in the form.
 */
export function FormDraft({ schema, submission }: FormDraftProps) {
  const form = useForm();

  // Before anything renders again, which would put the empty values back into the painted page's fields.
  useLayoutEffect(() => {
    const keeper = draftKeeper(location.pathname, schema.$id);
    const draft = keeper.read();
    if (draft?.idempotencyKey !== undefined) submission.resume(draft.idempotencyKey);
    form.batch(() => {
      for (const [field, value] of Object.entries(draft?.values ?? {})) {
        if (Object.hasOwn(schema.properties, field)) form.change(field, value);
      }
    });
    return form.subscribe(
      ({ values: current, pristine }) => {
        if (pristine) keeper.clear();
        else keeper.write({ values: keepable(schema, current), idempotencyKey: submission.current() });
      },
      // A failed try may have changed the key.
      { values: true, pristine: true, submitting: true },
    );
  }, [form, schema, submission]);

  return null;
}

/** The texts among the values, without passwords. */
function keepable(schema: FormSchema, values: Record<string, unknown>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [field, value] of Object.entries(values)) {
    if (typeof value === 'string' && schema.properties[field]?.writeOnly !== true) kept[field] = value;
  }
  return kept;
}
