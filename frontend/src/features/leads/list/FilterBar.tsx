import { leadResponses, leadStatuses } from '@dune-tide/domain/leads';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import { styled, type Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { Choice } from '../../../staff-ui/ChoiceMenu.tsx';
import { ChevronDownIcon, ChevronUpIcon } from '../../../staff-ui/icons.tsx';
import { controlHeight, MenuButton } from '../../../staff-ui/MenuButton.tsx';
import { ClearFilters } from '../../../staff-ui/lists/ClearFilters.tsx';
import { isFiltered, type LeadFilter, noFilter, ownerLabel, responseLabels } from '../lead-filter.ts';
import { useLeadKeys } from '../keys/lead-keys.ts';
import { statusLabel } from '../lead-labels.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { ownerChoices } from '../work/owner-choices.ts';
import { statusChoices } from '../work/status-choices.tsx';
import { SearchField } from './SearchField.tsx';

export const searchId = 'lead-search';

const responseChoices = [...leadResponses].reverse().map((value) => ({ value, label: responseLabels[value] }));
const spamChoices = [
  { value: '', label: 'Hidden' },
  { value: 'with', label: 'Shown' },
  { value: 'only', label: 'Only spam' },
] as const;
const sortChoices = [
  { value: '', label: 'Newest first' },
  { value: 'due', label: 'Due first, only unanswered' },
] as const;

const Bar = styled('search')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px',
  paddingBlock: '0.875rem 0.625rem',
  '@media print': { display: 'none' },
});

interface FilterBarProps {
  readonly filter: LeadFilter;
  readonly onChange: (filter: LeadFilter) => void;
  /** Called with each keystroke. */
  readonly onType: (filter: LeadFilter) => void;
  /** The number of leads as text; announced when it changes. */
  readonly count: ReactNode;
  /** The buttons that use the leads of the filter. */
  readonly actions: ReactNode;
}

/** The search field and the filters of the leads page. */
export function FilterBar({ filter, onChange, onType, count, actions }: FilterBarProps) {
  const staff = useLeadStaff();
  const field = useRef<HTMLInputElement>(null);
  const focusSearch = () => {
    field.current?.focus();
    field.current?.select();
  };
  useLeadKeys('page', { search: focusSearch });
  const owners: readonly Choice<string>[] = [
    { value: '', label: 'Anyone' },
    ...ownerChoices(staff, null).map(({ value, label }) => ({
      value: value === null ? 'none' : value === staff.me?.id ? 'me' : value,
      label,
    })),
  ];
  const isNarrow = useMediaQuery(({ breakpoints }: Theme) => breakpoints.down('sm'));
  const [isOpen, setIsOpen] = useState(false);
  const { tab: _tab, q: _q, ...filters } = filter;
  const chosen = Object.values(filters).filter(({ length }) => length > 0).length;
  return (
    <Bar aria-label="Leads">
      <Box sx={{ flex: { xs: '1 1 100%', lg: '1 1 18rem' }, maxWidth: { lg: '26rem' }, minWidth: 0 }}>
        <SearchField id={searchId} ref={field} filter={filter} onChange={onChange} onType={onType} />
      </Box>
      {isNarrow && (
        <Button
          size="small"
          variant="outlined"
          aria-expanded={isOpen}
          endIcon={isOpen ? <ChevronUpIcon /> : <ChevronDownIcon />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {chosen > 0 ? `Filters (${chosen})` : 'Filters'}
        </Button>
      )}
      {(!isNarrow || isOpen) && (
        <>
          <MenuButton
            name="Status"
            value={filter.status.map(statusLabel).join(', ')}
            choices={statusChoices}
            selected={filter.status}
            onChoose={(status) => onChange({ ...filter, status: toggled(leadStatuses, filter.status, status) })}
          />
          <MenuButton
            name="Owner"
            value={filter.owner && ownerLabel(filter.owner, staff)}
            choices={owners}
            selected={filter.owner}
            onChoose={(owner) => onChange({ ...filter, owner })}
          />
          <MenuButton
            name="Response"
            value={filter.response.map((each) => responseLabels[each]).join(', ')}
            choices={responseChoices}
            selected={filter.response}
            onChoose={(response) =>
              onChange({ ...filter, response: toggled(leadResponses, filter.response, response) })
            }
          />
          <MenuButton
            name="Spam"
            value={filter.spam && labelOf(spamChoices, filter.spam)}
            choices={spamChoices}
            selected={filter.spam}
            onChoose={(spam) => onChange({ ...filter, spam })}
          />
          <MenuButton
            name="Order"
            value={filter.sort && 'Due first'}
            choices={sortChoices}
            selected={filter.sort}
            onChoose={(sort) => onChange({ ...filter, sort })}
          />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '8px 12px' }}>
            <Day label="From" value={filter.from} onChange={(from) => onType({ ...filter, from })} />
            <Day label="To" value={filter.to} onChange={(to) => onType({ ...filter, to })} />
          </Box>
        </>
      )}
      <Box
        sx={{
          // On phones, beside the button of the filters.
          display: { xs: 'contents', sm: 'flex' },
          alignItems: 'center',
          flexWrap: 'wrap',
          columnGap: 1,
          minHeight: controlHeight,
          marginLeft: { sm: 'auto' },
          fontSize: '0.875rem',
          color: 'text.secondary',
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        <output>{count}</output>
        {isFiltered(filter) && (
          <ClearFilters size="small" searchId={searchId} onClear={() => onChange({ ...noFilter, tab: filter.tab })} />
        )}
        {actions}
      </Box>
    </Bar>
  );
}

/** Adds a value to those that are chosen, in their order, or removes it. */
function toggled<Value>(known: readonly Value[], chosen: readonly Value[], value: Value): readonly Value[] {
  const isRemoved = chosen.includes(value);
  return known.filter((each) => (each === value ? !isRemoved : chosen.includes(each)));
}

const labelOf = <Value,>(choices: readonly Choice<Value>[], wanted: Value): string =>
  choices.find(({ value }) => value === wanted)?.label ?? '';

interface DayProps {
  readonly label: string;
  /** A day as YYYY-MM-DD, or an empty text. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

function Day({ label, value, onChange }: DayProps) {
  const id = useId();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.75 }}>
      <FormLabel htmlFor={id} sx={{ margin: 0, fontSize: '0.8125rem', fontWeight: 400 }}>
        {label}
      </FormLabel>
      <OutlinedInput
        id={id}
        type="date"
        size="small"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        inputProps={{ max: '9999-12-31' }}
        sx={{
          width: { xs: '8.5rem', sm: '9.5rem' },
          minHeight: controlHeight,
          '& input': { paddingBlock: '5px', paddingInline: { xs: '8px', sm: '12px' }, fontSize: '0.8125rem' },
        }}
      />
    </Box>
  );
}
