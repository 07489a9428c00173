import { honeypotField } from '@dune-tide/domain/spam';
import Typography from '@mui/material/Typography';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { type ComponentProps, type Ref, useRef, useState } from 'react';
import { formToken } from './form-token.ts';
import { formPost } from '../api-client/submit-form.ts';
import { toasts, useFailureToast } from '../toasts/toasts.ts';
import { Form } from './Form.tsx';
import type { formGuides } from '@dune-tide/domain/content/form-guides';
import { OutcomeContext, type Receipt, type Thanks } from './outcome-context.ts';
import { useSendForm } from './use-send-form.ts';

type PublicFormProps<Values extends object> = Omit<
  ComponentProps<typeof Form<Values>>,
  'send' | 'onSent' | 'onFailed'
> & {
  /** The path of the call that stores the form. */
  readonly url: string;
  /** Returns the body of the call; defaults to the values. */
  readonly bodyOf?: (values: Values) => object;
  /** The success toast. In a `SubmitRow` its text also stays below the button. */
  readonly thanks: Thanks;
  readonly onSent?: () => void;
  /** The guide and the values that a `SubmitRow` shows after a success. */
  readonly guide?: keyof typeof formGuides;
  readonly receipt?: (values: Values) => Receipt;
  /** The failure toast. In a `SubmitRow` its text also stays below the button. */
  readonly failureText: string;
  /** Whether the form has a single field, so that required fields need no mark. */
  readonly isOneField?: boolean;
};

/** A form for visitors. It sends the signals that distinguish programs from people (docs/decisions/0007-spam.md). */
export function PublicForm<Values extends object>(props: PublicFormProps<Values>) {
  const { url, bodyOf, thanks, onSent, failureText, isOneField = false, guide, receipt, children, ...form } = props;
  const sendForm = useSendForm();
  const [sent, setSent] = useState<{ readonly receipt: Receipt | undefined }>();
  const honeypot = useRef<HTMLInputElement>(null);
  const failureToast = useFailureToast();
  const outcome = { ...(sent && { thanks, guide, receipt: sent.receipt }), failureText };
  return (
    <Form<Values, Receipt | undefined>
      {...form}
      send={async (values, idempotencyKey) => {
        failureToast.takeAway();
        const submission = { idempotencyKey, formToken: formToken(), honeypot: honeypot.current?.value ?? '' };
        await sendForm(formPost(url, bodyOf?.(values) ?? values, submission));
        if (honeypot.current) honeypot.current.value = '';
        return receipt?.(values);
      }}
      onSent={(received) => {
        toasts.success(thanks.text, thanks.title);
        setSent({ receipt: received });
        onSent?.();
      }}
      onFailed={() => failureToast.show(failureText)}
    >
      <Honeypot field={honeypot} />
      {!isOneField && (
        // Before the first asterisk, for visitors who read from the top (WCAG technique H90).
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', marginBottom: 2 }}>
          Fields with * are required.
        </Typography>
      )}
      <OutcomeContext value={outcome}>{children}</OutcomeContext>
    </Form>
  );
}

/** Has no initial value, so that React keeps a value that was entered before the form's code had loaded. */
function Honeypot({ field }: { readonly field: Ref<HTMLInputElement> }) {
  return (
    // Not `display: none`, which programs detect. `inert` excludes the field from autofill and from the next/previous
    // keys of phones.
    <div style={visuallyHidden} aria-hidden="true" inert>
      <input
        ref={field}
        type="text"
        name={honeypotField}
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore="true"
        data-lpignore="true"
        data-bwignore="true"
        data-protonpass-ignore="true"
        data-form-type="other"
      />
    </div>
  );
}
