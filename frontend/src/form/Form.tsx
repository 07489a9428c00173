import Box from '@mui/material/Box';
import { brand } from '@dune-tide/domain/brand';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import { prepare } from '@dune-tide/domain/forms/validation';
import { FORM_ERROR, type MutableState } from 'final-form';
import { type ReactNode, type SubmitEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Form as FinalForm, type FormRenderProps } from 'react-final-form';
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
import { useDoublePress } from '../ui/use-double-press.ts';

interface FormProps<Values extends object> {
  /** What the form is for, for readers who do not see it. */
  readonly label: string;
  readonly schema: FormSchema;
  readonly validate: Validate;
  readonly initialValues?: Partial<Values>;
  /** Whether what is typed survives a reload. Not where the form starts anew each time. */
  readonly keepsDraft?: boolean;
  /** Tells drafts apart that are written into the same form on the same page; the schema's id unless given. */
  readonly draftName?: string | undefined;
  /** The page that the draft belongs to, where the form stands on several; the one that is shown unless given. */
  readonly draftPath?: string | undefined;
  /** Of what the form began with, where that is stored already: its draft remembers both. */
  readonly version?: number | undefined;
  /** Sends the form; rejects with a request's failure. */
  readonly send: (values: Values, idempotencyKey: string) => Promise<unknown>;
  readonly onSent: () => void;
  readonly onFailed: (failure: RequestFailure) => void;
  /** What `SubmitAlert` says of a failure; as the public forms do unless given. */
  readonly hint?: (failure: RequestFailure, now: Date) => string | undefined;
  readonly children: ReactNode;
}

/** Forgets what the server said of values that have changed since: final-form would bring it back with the next try. */
function forgetAnswered<Values extends object>(_: unknown, { formState: state }: MutableState<Values>): void {
  const { submitErrors = {}, lastSubmittedValues: sent = {} } = state;
  const values = state.values as Record<string, unknown>;
  state.submitErrors = Object.fromEntries(Object.entries(submitErrors).filter(([name]) => values[name] === sent[name]));
}

const mutators = { forgetAnswered };

/** What a visitor reads without scripts, or whose browser cannot run ours (app/base.css shows it). */
const noticeStyles = {
  '& > noscript p, & > .without-code': { margin: '0 0 28px', padding: '14px 18px', border: 1, borderRadius: 1 },
  '& > noscript a, & > .without-code a': { color: 'inherit' },
};

/**
 * A form of the domain: its rules are checked on leaving a changed field and on sending, the first faulty field is
 * focused, a failure keeps all that was typed, a success empties it (docs/PRODUCT.md, "Form behaviour").
 */
export function Form<Values extends object>(props: FormProps<Values>) {
  const { label, schema, validate, initialValues, send, onSent, onFailed, children } = props;
  const { keepsDraft = true, draftName = schema.$id, version, hint = submissionHint } = props;
  // Of the page that shows it: while a link is followed, the address is another page's already, with a form of its own.
  const { pathname } = useLocation();
  const [ownPath] = useState(pathname);
  const draftPath = props.draftPath ?? ownPath;
  const element = useRef<HTMLFormElement>(null);
  const [key] = useState(submissionKey);
  const [tries, setTries] = useState(0);
  const doublePress = useDoublePress();
  const check = useMemo(() => formValidator(schema, validate), [schema, validate]);

  // Sent before its code was there. Here, since only now the fields and their rules are in force.
  useEffect(() => {
    if (element.current && takePress(formKey(element.current))) requestSubmit(element.current);
  }, []);

  // After the fields have taken their messages, and the button can be focused again.
  useEffect(() => {
    if (tries > 0) focusAfterTry(element.current);
  }, [tries]);

  const submit = async (values: Values): Promise<FieldMessages | undefined> => {
    const keeper = draftKeeper(draftPath, draftName);
    // Without passwords: a part of the key is a hash that is soon found out.
    const content = keptContentOf(schema, values);
    try {
      await send(prepare(schema, values) as Values, key.forContent(content));
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      if (error.status === 422) key.settled();
      onFailed(error);
      // A text in any case: without one final-form takes the try for a success.
      return { ...messagesByField(error.fieldErrors), [FORM_ERROR]: hint(error, new Date()) ?? '' };
    }
    key.settled();
    if (keepsDraft) {
      // The visitor may have left, come back, and typed on.
      if (contentOf(schema, keeper.read()?.values) === content) keeper.clear();
      keeper.stored(content);
    }
    onSent();
    return undefined;
  };

  const tryToSend = async (
    event: SubmitEvent<HTMLFormElement>,
    { handleSubmit, form }: FormRenderProps<Values>,
  ): Promise<void> => {
    event.preventDefault();
    // The response was faster than a double click: the empty form would report every required field.
    if (form.getState().pristine && doublePress.isSecond()) return;
    form.mutators['forgetAnswered']?.();
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
              // Without a script nothing is sent, least of all as part of the address.
              method="dialog"
              data-form={keepsDraft ? schema.$id : undefined}
              noValidate
              aria-label={label}
              onSubmit={(event: SubmitEvent<HTMLFormElement>) => void tryToSend(event, kit)}
              sx={noticeStyles}
            >
              <noscript>
                <p>
                  Sending this form needs JavaScript, which is off in your browser. You are just as welcome to write to{' '}
                  <a href={`mailto:${brand.email}`}>{brand.email}</a>.
                </p>
              </noscript>
              <p className="without-code">
                This form could not be loaded. You are just as welcome to write to{' '}
                <a href={`mailto:${brand.email}`}>{brand.email}</a>.
              </p>
              {children}
            </Box>
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

/** Moves the focus to the first faulty field, or back to the button if that lost it while it was disabled. */
function focusAfterTry(form: HTMLFormElement | null): void {
  // Of a group of options it is the first one that takes the focus.
  const fault = form?.querySelector<HTMLElement>('[aria-invalid="true"]:not([role]), [aria-invalid="true"] input');
  const button = form?.querySelector<HTMLElement>('[type="submit"]');
  if (fault) {
    fault.focus();
    showFault(fault);
  } else if (document.activeElement === document.body) button?.focus();
}
