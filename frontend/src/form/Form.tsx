import Box from '@mui/material/Box';
import { brand } from '@dune-tide/domain/brand';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { prepare } from '@dune-tide/domain/forms/validation';
import { FORM_ERROR, type MutableState } from 'final-form';
import { type ReactNode, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Form as FinalForm, type FormRenderProps, useForm } from 'react-final-form';
import { useLocation } from 'react-router-dom';
import { draftKeeper } from './draft-storage.ts';
import { formKey, takePress } from './pre-hydration/presses.ts';
import { isRequestFailure, type RequestFailure } from '../api-client/request.ts';
import { submissionKey } from './idempotency-key.ts';
import { requestSubmit } from './request-submit.ts';
import { submissionHint } from './retry-hint.ts';
import { type FieldMessages, formValidator, messagesByField, type Validate } from './validation.ts';
import { contentOf, FormDraft, keptContentOf } from './FormDraft.tsx';
import { FormSchemaContext } from './form-schema-context.ts';
import { showFault } from './into-view.ts';
import { type ShownField, ShownFieldsContext } from './ShownField.tsx';
import { useDoublePress } from '../ui/use-double-press.ts';

interface FormProps<Values extends object, Result> {
  /** The form's name for screen readers. */
  readonly label: string;
  readonly schema: FormSchema;
  readonly validate: Validate;
  readonly initialValues?: Partial<Values>;
  /** Whether a reload keeps the values. False for forms that start empty each time. */
  readonly keepsDraft?: boolean;
  /** Distinguishes the drafts of the same form on one page; defaults to the schema's id. */
  readonly draftName?: string | undefined;
  /** The page that the draft belongs to, if several pages have the form; defaults to the current page. */
  readonly draftPath?: string | undefined;
  /** The stored version of the initial values, if they are stored. The draft keeps both. */
  readonly version?: number | undefined;
  /** Sends the form; rejects with a request's failure. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<Result>;
  /** Receives what `send` resolved to. */
  readonly onSent?: (result: Result) => void;
  readonly onFailed?: (failure: RequestFailure) => void;
  /** Returns the text of `SubmitAlert` for a failure; defaults to the text of the public forms. */
  readonly hint?: (failure: RequestFailure, now: Date) => string | undefined;
  readonly children: ReactNode;
}

/** Drops server errors of values that have changed since; final-form would show them again at the next attempt. */
function dropOutdatedErrors<Values extends object>(_: unknown, { formState: state }: MutableState<Values>): void {
  const { submitErrors = {}, lastSubmittedValues: sent = {} } = state;
  const values = state.values as Record<string, unknown>;
  state.submitErrors = Object.fromEntries(Object.entries(submitErrors).filter(([name]) => values[name] === sent[name]));
}

const mutators = { dropOutdatedErrors };

/** Styles of the notes for browsers without scripts, or that cannot run ours (app/base.css shows the second note). */
const noticeStyles = {
  '& > noscript p, & > .without-code': { margin: '0 0 28px', padding: '14px 18px', border: 1, borderRadius: 1 },
  '& > noscript a, & > .without-code a': { color: 'inherit' },
};

/**
 * A form of the domain. A changed field is validated when the visitor leaves it, and all fields when the form is sent.
 * The first invalid field gets the focus. A failure keeps all values, a success resets them (docs/PRODUCT.md, "Form
 * behaviour").
 */
export function Form<Values extends object, Result = unknown>(props: FormProps<Values, Result>) {
  const { label, schema, validate, initialValues, send, onSent, onFailed, children } = props;
  const { keepsDraft = true, draftName = schema.$id, version, hint = submissionHint } = props;
  // The path at the first render: while a link is followed, the current path is already that of another page.
  const { pathname } = useLocation();
  const [ownPath] = useState(pathname);
  const draftPath = props.draftPath ?? ownPath;
  const element = useRef<HTMLFormElement>(null);
  const [key] = useState(submissionKey);
  const [tries, setTries] = useState(0);
  const [fields] = useState(() => new Set<ShownField>());
  const doublePress = useDoublePress();
  const check = useMemo(() => formValidator(schema, validate), [schema, validate]);

  // Sends a form that was submitted before its code had loaded. Its fields and rules are registered when this runs.
  useEffect(() => {
    if (element.current && takePress(formKey(element.current))) requestSubmit(element.current);
  }, []);

  // Runs after the fields show their messages and the button is enabled again.
  useEffect(() => {
    if (tries > 0) focusAfterTry(element.current);
  }, [tries]);

  const submit = async (values: Values): Promise<FieldMessages | undefined> => {
    const keeper = draftKeeper(draftPath, draftName);
    // Without passwords, because the key contains a hash that is easy to reverse.
    const content = keptContentOf(schema, values);
    let result: Result;
    try {
      result = await send(prepare(schema, values) as Values, key.forContent(content));
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status === 422) key.settled();
      onFailed?.(error);
      // Must be a string: final-form treats an undefined submit error as success.
      return { ...messagesByField(error.fieldErrors), [FORM_ERROR]: hint(error, new Date()) ?? '' };
    }
    key.settled();
    if (keepsDraft) {
      // The visitor may have left, returned and typed more in the meantime.
      if (contentOf(schema, keeper.read()?.values) === content) keeper.clear();
      keeper.stored(content);
    }
    onSent?.(result);
    return undefined;
  };

  const tryToSend = async (
    event: SubmitEvent<HTMLFormElement>,
    { handleSubmit, form }: FormRenderProps<Values>,
  ): Promise<void> => {
    event.preventDefault();
    readShown(form, fields);
    // The response arrived before the second click of a double click. The empty form would report every required field.
    if (form.getState().pristine && doublePress.isSecond()) return;
    form.mutators['dropOutdatedErrors']?.();
    await handleSubmit(event);
    if (form.getState().submitSucceeded) {
      form.restart();
      doublePress.tookEffect();
    }
    setTries((count) => count + 1);
  };

  return (
    <FormSchemaContext value={schema}>
      <FinalForm<Values>
        onSubmit={submit}
        validate={check}
        mutators={mutators}
        {...(initialValues && { initialValues })}
        subscription={{}}
        render={(kit) => (
          <>
            <Box
              component="form"
              ref={element}
              // Without scripts the browser must not send the form, least of all in the URL.
              method="dialog"
              data-form={keepsDraft ? schema.$id : undefined}
              noValidate
              aria-label={label}
              onSubmit={(event: SubmitEvent<HTMLFormElement>) => void tryToSend(event, kit)}
              // Before the form or Material UI handle the event and render fields.
              {...onRenderingEvents(() => readShown(kit.form, fields))}
              sx={noticeStyles}
            >
              <noscript>
                <p>
                  Sending this form needs JavaScript, which is disabled in your browser. You can also email us at{' '}
                  <a href={`mailto:${brand.email}`}>{brand.email}</a>.
                </p>
              </noscript>
              <p className="without-code">
                This form could not be loaded. You can also email us at{' '}
                <a href={`mailto:${brand.email}`}>{brand.email}</a>.
              </p>
              <ShownFieldsContext value={fields}>{children}</ShownFieldsContext>
            </Box>
            <ReadOnReturn fields={fields} />
            {keepsDraft && (
              <FormDraft
                name={draftName}
                path={draftPath}
                schema={schema}
                version={version}
                submission={key}
                element={element}
              />
            )}
          </>
        )}
      />
    </FormSchemaContext>
  );
}

/** The parts of a form of any values that `readShown` uses. */
interface ReadableForm {
  batch(work: () => void): void;
  getState(): { readonly submitting?: boolean };
}

/** Copies values that were set without an event to the form's state. While the form is being sent, it takes no changes. */
function readShown(form: ReadableForm, fields: ReadonlySet<ShownField>): void {
  if (form.getState().submitting) return;
  form.batch(() => {
    for (const field of fields) field.read();
  });
}

/** The events that change the form's state or that Material UI renders a field for. */
const onRenderingEvents = (read: () => void) => ({
  onFocusCapture: read,
  onBlurCapture: read,
  onInputCapture: read,
  onAnimationStartCapture: read,
});

/** Reads the fields when the page comes back into view, e.g. from the window of a password manager. */
function ReadOnReturn({ fields }: { readonly fields: ReadonlySet<ShownField> }) {
  const form = useForm();
  useEffect(() => {
    const read = () => readShown(form, fields);
    const returns = [
      [window, 'focus'],
      [window, 'pageshow'],
      [document, 'visibilitychange'],
    ] as const;
    for (const [target, type] of returns) target.addEventListener(type, read);
    return () => {
      for (const [target, type] of returns) target.removeEventListener(type, read);
    };
  }, [form, fields]);
  return null;
}

/** Focuses the first invalid field, or the button if it lost the focus when it was disabled. */
function focusAfterTry(form: HTMLFormElement | null): void {
  // In a group of options the first option gets the focus.
  const fault = form?.querySelector<HTMLElement>('[aria-invalid="true"]:not([role]), [aria-invalid="true"] input');
  const button = form?.querySelector<HTMLElement>('[type="submit"]');
  if (fault) {
    fault.focus();
    showFault(fault);
  } else if (document.activeElement === document.body) button?.focus();
}
