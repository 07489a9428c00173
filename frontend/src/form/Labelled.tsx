import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import FormLabel from '@mui/material/FormLabel';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId, useRef } from 'react';
import { useField } from 'react-final-form';
import { fieldMessage, isChanged, messageSubscription } from './field-message.ts';
import { useFieldRules } from './form-schema-context.ts';
import { showTabbedTo, wholeField } from './into-view.ts';
import { ShownField } from './ShownField.tsx';

/** Attributes that connect an input to its label and its message. */
export interface Wiring {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (event: unknown) => void;
  readonly onBlur: () => void;
  readonly onFocus: () => void;
  /** True while the form is being sent: a change would not be sent, and a success would discard it. */
  readonly readOnly: boolean;
  readonly error: boolean;
  readonly required: boolean;
  readonly describedBy: string;
}

interface LabelledProps {
  readonly name: string;
  /** Replaces the schema's name of the field. */
  readonly label?: string | undefined;
  readonly hint?: string | undefined;
  /** The field cannot be left empty, so it is neither required nor optional. */
  readonly hasAlwaysValue?: boolean;
  readonly children: (wiring: Wiring) => ReactNode;
}

/**
 * A field with its label and hint above and its message below. The message appears once the visitor has changed and
 * left the field or tried to send the form. The field reserves the message's space.
 */
export function Labelled({ name, label, hint, hasAlwaysValue = false, children }: LabelledProps) {
  const rules = useFieldRules(name);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const { input, meta } = useField<string>(name, {
    subscription: { value: true, submitting: true, ...messageSubscription },
  });
  const message = fieldMessage(meta);
  const hintId = `${id}-hint`;
  const messageId = `${id}-message`;

  return (
    <ShownField place={place} value={input.value} onChange={input.onChange}>
      <FormControl
        ref={place}
        {...wholeField}
        onKeyUp={showTabbedTo}
        fullWidth
        error={message !== undefined}
        required={rules.isRequired}
      >
        <FormLabel htmlFor={id}>
          {label ?? rules.label}
          {!rules.isRequired && !hasAlwaysValue && (
            <Typography component="span" variant="caption" sx={{ color: 'text.secondary', fontWeight: 400 }}>
              {' '}
              (optional)
            </Typography>
          )}
        </FormLabel>
        {hint !== undefined && (
          <Typography
            id={hintId}
            variant="caption"
            component="p"
            sx={{ color: 'text.secondary', marginTop: -0.5, marginBottom: 0.75 }}
          >
            {hint}
          </Typography>
        )}
        {children({
          id,
          name,
          value: input.value,
          onChange: input.onChange,
          onBlur: () => {
            if (isChanged(meta)) input.onBlur();
          },
          onFocus: () => input.onFocus(),
          readOnly: meta.submitting === true,
          error: message !== undefined,
          required: rules.isRequired,
          describedBy: hint === undefined ? messageId : `${hintId} ${messageId}`,
        })}
        <FormHelperText id={messageId} aria-live="polite">
          {message}
        </FormHelperText>
      </FormControl>
    </ShownField>
  );
}
