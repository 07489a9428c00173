import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { Option } from '@dune-tide/domain/forms/option';
import { Labelled } from './Labelled.tsx';

interface SelectFieldProps {
  readonly name: string;
  readonly label?: string;
  readonly hint?: string;
  readonly options: readonly Option[];
  /** Shown while nothing is selected, e.g. "Select a service". Without it, an option is always selected. */
  readonly placeholder?: string;
}

/** A selection with the native list of the visitor's device. */
export function SelectField({ name, label, hint, options, placeholder }: SelectFieldProps) {
  return (
    <Labelled name={name} label={label} hint={hint} hasAlwaysValue={placeholder === undefined}>
      {({ describedBy, readOnly, onChange, ...wiring }) => (
        <NativeSelect
          {...wiring}
          // HTML has no read-only selections.
          onChange={readOnly ? undefined : onChange}
          input={<OutlinedInput />}
          inputProps={{ 'aria-describedby': describedBy, 'aria-readonly': readOnly }}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </NativeSelect>
      )}
    </Labelled>
  );
}
