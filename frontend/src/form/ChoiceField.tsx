import type { Option } from '@dune-tide/domain/forms/option';
import FormHelperText from '@mui/material/FormHelperText';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type FocusEvent, useId, useRef } from 'react';
import { useField } from 'react-final-form';
import { forcedColors } from '../styles/forced-colors.ts';
import { useFieldRules } from './form-schema-context.ts';
import { fieldMessage, isChanged, messageSubscription } from './field-message.ts';
import { wholeField } from './into-view.ts';
import { ShownField } from './ShownField.tsx';

const Choices = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: '10px 20px',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
}));

const Choice = styled('label')({
  display: 'grid',
  gridTemplateColumns: 'auto 1fr',
  columnGap: 12,
  alignItems: 'start',
  padding: '14px 16px',
  borderRadius: 4,
  border: '1px solid var(--dt-palette-text-disabled)',
  background: 'var(--dt-palette-background-field)',
  cursor: 'pointer',
  '&:hover': { borderColor: 'var(--dt-palette-text-primary)' },
  '&:has(:checked)': {
    borderColor: 'var(--dt-palette-secondary-main)',
    boxShadow: 'inset 0 0 0 1px var(--dt-palette-secondary-main)',
  },
  '&:has(:focus-visible)': { outline: '3px solid var(--dt-palette-secondary-main)', outlineOffset: 3 },
  '[aria-invalid="true"] > &': { borderColor: 'var(--dt-palette-error-main)' },
  '& input': {
    width: 20,
    height: 20,
    margin: '2px 0 0',
    // Drawn here, because browsers fill an unselected radio button with grey on dark pages, as if it were disabled.
    appearance: 'none',
    borderRadius: '50%',
    border: '2px solid var(--dt-palette-text-secondary)',
    '&:checked': { borderWidth: 6, borderColor: 'var(--dt-palette-secondary-main)' },
    [forcedColors]: { appearance: 'auto' },
    '&:focus-visible': { outline: 'none' },
  },
});

interface ChoiceFieldProps {
  readonly name: string;
  readonly options: readonly Option[];
}

/** A radio group of a few options, each with its description. */
export function ChoiceField({ name, options }: ChoiceFieldProps) {
  const rules = useFieldRules(name);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const { input, meta } = useField<string>(name, {
    subscription: { value: true, submitting: true, ...messageSubscription },
  });
  const isReadOnly = meta.submitting === true;
  const message = fieldMessage(meta);
  const labelId = `${id}-label`;
  const messageId = `${id}-message`;

  const leave = (event: FocusEvent<HTMLElement>) => {
    // The focus stays in the group when it moves between options.
    if (!event.currentTarget.contains(event.relatedTarget) && isChanged(meta)) input.onBlur();
  };

  return (
    <ShownField place={place} value={input.value} onChange={input.onChange}>
      <div ref={place} {...wholeField}>
        <Typography
          id={labelId}
          component="p"
          variant="body2"
          sx={{ fontWeight: 600, lineHeight: 1.4, marginBottom: '6px' }}
        >
          {rules.label}
          {rules.isRequired && (
            <Typography component="span" aria-hidden="true" sx={{ font: 'inherit', color: 'primary.main' }}>
              {' *'}
            </Typography>
          )}
        </Typography>
        <Choices
          role="radiogroup"
          aria-labelledby={labelId}
          aria-describedby={messageId}
          aria-required={rules.isRequired}
          aria-readonly={isReadOnly}
          aria-invalid={message !== undefined}
          onFocus={() => input.onFocus()}
          onBlur={leave}
        >
          {options.map(({ value, label, description }) => (
            <Choice key={value}>
              <input
                type="radio"
                name={name}
                value={value}
                checked={input.value === value}
                onChange={() => {
                  if (!isReadOnly) input.onChange(value);
                }}
                aria-describedby={description === undefined ? undefined : `${id}-${value}`}
              />
              <span>
                <Typography component="span" sx={{ display: 'block', fontWeight: 600, lineHeight: 1.4 }}>
                  {label}
                </Typography>
                {description !== undefined && (
                  <Typography
                    id={`${id}-${value}`}
                    component="span"
                    variant="caption"
                    sx={{ display: 'block', color: 'text.secondary' }}
                  >
                    {description}
                  </Typography>
                )}
              </span>
            </Choice>
          ))}
        </Choices>
        <FormHelperText id={messageId} aria-live="polite" error={message !== undefined}>
          {message}
        </FormHelperText>
      </div>
    </ShownField>
  );
}
