import { maxLength } from '@dune-tide/domain/limits';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled } from '@mui/material/styles';
import useAutocomplete from '@mui/material/useAutocomplete';
import useForkRef from '@mui/utils/useForkRef';
import { type RefObject, useState } from 'react';
import { controlHeight } from '../../../staff-ui/MenuButton.tsx';
import type { LeadFilter } from '../lead-filter.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { filterSuggestions } from './filter-suggestions.ts';

const Field = styled('div')({ position: 'relative' });

const Suggestions = styled('ul')({
  position: 'absolute',
  // Above the head of the table.
  zIndex: 5,
  insetInline: 0,
  top: '100%',
  marginTop: 4,
  padding: 4,
  border: '1px solid var(--dt-palette-divider)',
  borderRadius: 8,
  background: 'var(--dt-palette-background-paper)',
  boxShadow: '0 4px 14px rgba(8, 15, 21, 0.2)',
  fontSize: '0.875rem',
  '& > li': { padding: '0.5rem 0.75rem', borderRadius: 6, cursor: 'pointer', overflowWrap: 'anywhere' },
  '& > li.Mui-focused': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 10%, transparent)' },
});

/** The library does not declare the ref. */
type InputProps = ReturnType<ReturnType<typeof useAutocomplete>['getInputProps']> & {
  readonly ref: RefObject<HTMLInputElement | null>;
};

interface SearchFieldProps {
  readonly id: string;
  readonly ref: RefObject<HTMLInputElement | null>;
  readonly filter: LeadFilter;
  /** Called when a suggested filter is chosen. */
  readonly onChange: (filter: LeadFilter) => void;
  /** Called with each keystroke. */
  readonly onType: (filter: LeadFilter) => void;
}

/** The search field of the leads page, and the filters that its words name, e.g. "Status: Won". */
export function SearchField({ id, ref, filter, onChange, onType }: SearchFieldProps) {
  const staff = useLeadStaff();
  const [isOpen, setIsOpen] = useState(false);
  const suggestions = isOpen ? filterSuggestions(filter, staff) : [];
  const { getRootProps, getInputProps, getListboxProps, getOptionProps } = useAutocomplete({
    id,
    options: suggestions,
    filterOptions: (options) => options,
    getOptionLabel: ({ label }) => label,
    isOptionEqualToValue: (option, value) => option.label === value.label,
    open: suggestions.length > 0,
    handleHomeEndKeys: false,
    // Otherwise the next rendering, e.g. when the address changes after the typing, loses the highlighted option.
    disableCloseOnSelect: true,
    value: null,
    inputValue: filter.q,
    onInputChange: (_, typed, reason) => {
      if (reason !== 'input') return;
      setIsOpen(true);
      onType({ ...filter, q: typed });
    },
    onChange: (_, suggestion) => {
      if (!suggestion) return;
      setIsOpen(false);
      onChange(suggestion.filter);
    },
    onClose: () => setIsOpen(false),
  });
  const { ref: inputRef, ...inputProps } = getInputProps() as InputProps;
  const fieldRef = useForkRef(inputRef, ref);
  const { 'aria-labelledby': _label, ...listProps } = getListboxProps();
  return (
    <Field {...getRootProps()}>
      <OutlinedInput
        inputRef={fieldRef}
        type="search"
        size="small"
        fullWidth
        sx={{ minHeight: controlHeight, '& input': { paddingBlock: '6px' } }}
        placeholder="Search name, email, company, phone, message"
        inputProps={{
          ...inputProps,
          'aria-label': 'Search leads',
          maxLength: maxLength.search,
          enterKeyHint: 'search',
        }}
        onKeyDown={(event) => {
          // Leaves the field, so that the keys of the page work again.
          if (event.key === 'Escape' && filter.q === '') ref.current?.blur();
        }}
      />
      {suggestions.length > 0 && (
        <Suggestions {...listProps} aria-label="Suggested filters">
          {suggestions.map((option, index) => {
            const { key, ...props } = getOptionProps({ option, index }) as ReturnType<typeof getOptionProps> & {
              readonly key: string;
            };
            return (
              <li key={key} {...props}>
                <bdi>{option.label}</bdi>
              </li>
            );
          })}
        </Suggestions>
      )}
    </Field>
  );
}
