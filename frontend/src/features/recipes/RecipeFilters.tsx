import type { Option } from '@dune-tide/domain/forms/option';
import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import Box from '@mui/material/Box';
import FormLabel from '@mui/material/FormLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { type ReactNode, useId } from 'react';
import { ClearFilters } from '../../staff-ui/lists/ClearFilters.tsx';
import { noFilter, type RecipeFilter } from './recipe-filter.ts';

interface RecipeFiltersProps {
  readonly filter: RecipeFilter;
  readonly onChange: (filter: RecipeFilter) => void;
  /** The number of results as text; announced when it changes. */
  readonly count: ReactNode;
}

export const searchId = 'recipe-search';

/** The filters of the recipe list. */
export function RecipeFilters({ filter, onChange, count }: RecipeFiltersProps) {
  const isOn = filter.text !== '' || filter.category !== '' || filter.difficulty !== '';
  return (
    <Box
      component="search"
      aria-label="Recipes"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'repeat(auto-fit, minmax(9rem, 1fr))', lg: 'minmax(14rem, 26rem) 12rem 12rem 1fr' },
        gap: '12px 16px',
        alignItems: 'end',
        marginBottom: 2,
      }}
    >
      <Box sx={{ gridColumn: { xs: '1 / -1', lg: 'auto' } }}>
        <FormLabel htmlFor={searchId}>Search</FormLabel>
        <OutlinedInput
          id={searchId}
          type="search"
          fullWidth
          autoComplete="off"
          placeholder="Title, text, tag or tool"
          value={filter.text}
          onChange={({ target }) => onChange({ ...filter, text: target.value })}
        />
      </Box>
      <Choice
        label="Category"
        all="All categories"
        options={recipeCategories}
        value={filter.category}
        onChange={(category) => onChange({ ...filter, category })}
      />
      <Choice
        label="Difficulty"
        all="All difficulties"
        options={recipeDifficulties}
        value={filter.difficulty}
        onChange={(difficulty) => onChange({ ...filter, difficulty })}
      />
      <Box
        sx={{
          gridColumn: { xs: '1 / -1', lg: 'auto' },
          display: 'flex',
          alignItems: 'center',
          justifyContent: { xs: 'space-between', lg: 'flex-end' },
          gap: 2,
          minHeight: 42,
          color: 'text.secondary',
          fontSize: '0.875rem',
          fontVariantNumeric: 'tabular-nums',
        }}
      >
        <output>{count}</output>
        {isOn && <ClearFilters size="small" searchId={searchId} onClear={() => onChange(noFilter)} />}
      </Box>
    </Box>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly options: readonly Option[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, options, value, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <FormLabel htmlFor={id}>{label}</FormLabel>
      <NativeSelect
        id={id}
        fullWidth
        value={value}
        onChange={({ target }) => onChange(target.value)}
        input={<OutlinedInput />}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </NativeSelect>
    </div>
  );
}
