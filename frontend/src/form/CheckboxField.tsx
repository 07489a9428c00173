import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useId, useRef } from 'react';
import { useField } from 'react-final-form';
import { useFieldRules } from './form-schema-context.ts';
import { ShownField } from './ShownField.tsx';

const Choice = styled('label')({
  display: 'grid',
  gridTemplateColumns: 'auto 1fr',
  columnGap: 10,
  alignItems: 'start',
  cursor: 'pointer',
  '& input': {
    width: 20,
    height: 20,
    margin: '1px 0 0',
    accentColor: 'var(--dt-palette-secondary-main)',
  },
});

interface CheckboxFieldProps {
  readonly name: string;
  /** Replaces the label from the form's schema. */
  readonly label?: string;
  readonly hint?: string;
}

/** A checkbox of a form. */
export function CheckboxField({ name, label, hint }: CheckboxFieldProps) {
  const rules = useFieldRules(name);
  const id = useId();
  const place = useRef<HTMLLabelElement>(null);
  const { input, meta } = useField<boolean>(name, {
    type: 'checkbox',
    subscription: { value: true, submitting: true },
  });
  const isReadOnly = meta.submitting === true;
  return (
    <ShownField place={place} value={input.checked} onChange={input.onChange}>
      <Choice ref={place}>
        <input
          type="checkbox"
          name={name}
          checked={input.checked ?? false}
          // HTML has no read-only checkboxes.
          onChange={(event) => {
            if (!isReadOnly) input.onChange(event);
          }}
          aria-readonly={isReadOnly}
          onBlur={() => input.onBlur()}
          onFocus={() => input.onFocus()}
          aria-describedby={hint === undefined ? undefined : id}
        />
        <span>
          <Typography component="span" variant="body2" sx={{ display: 'block', fontWeight: 600 }}>
            {label ?? rules.label}
          </Typography>
          {hint !== undefined && (
            <Typography id={id} component="span" variant="caption" sx={{ display: 'block', color: 'text.secondary' }}>
              {hint}
            </Typography>
          )}
        </span>
      </Choice>
    </ShownField>
  );
}
