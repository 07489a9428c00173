import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { Option } from '@dune-tide/domain/forms/option';
import { Labelled } from './Labelled.tsx';

interface SelectFieldProps {
  readonly name: string;
  readonly label?: string;
  readonly hint?: string;
  readonly options: readonly Option[];
  /** Shown while nothing is chosen, e.g. "Select a service". */
  readonly placeholder: string;
}

/** A choice from a list, with the list of the visitor's own device. */
export function SelectField({ name, label, hint, options, placeholder }: SelectFieldProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {({ describedBy, readOnly, onChange, ...wiring }) => (
        <NativeSelect
          {...wiring}
          // HTML knows no selection that can be read only.
          onChange={readOnly ? undefined : onChange}
          input={<OutlinedInput />}
          inputProps={{ 'aria-describedby': describedBy, 'aria-readonly': readOnly }}
        >
          <option value="">{placeholder}</option>
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
