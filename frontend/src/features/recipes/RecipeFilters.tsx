import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import Box from '@mui/material/Box';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactNode } from 'react';
import { ClearFilters } from '../../staff-ui/lists/ClearFilters.tsx';
import { controlHeight, MenuButton } from '../../staff-ui/MenuButton.tsx';
import { noFilter, type RecipeFilter } from './recipe-filter.ts';
import { categoryLabel, difficultyLabel } from './recipe-labels.ts';

interface RecipeFiltersProps {
  readonly filter: RecipeFilter;
  readonly onChange: (filter: RecipeFilter) => void;
  /** Called with each keystroke. */
  readonly onType: (filter: RecipeFilter) => void;
  /** The number of results as text; announced when it changes. */
  readonly count: ReactNode;
}

export const searchId = 'recipe-search';

const categoryChoices = [{ value: '', label: 'All categories' }, ...recipeCategories];
const difficultyChoices = [{ value: '', label: 'All difficulties' }, ...recipeDifficulties];

/** The filters of the recipe list. */
export function RecipeFilters({ filter, onChange, onType, count }: RecipeFiltersProps) {
  const isOn = filter.text !== '' || filter.category !== '' || filter.difficulty !== '';
  return (
    <Box
      component="search"
      aria-label="Recipes"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: 1, marginBottom: 2 }}
    >
      <Box
        // A printed list shows what was searched.
        data-controls={filter.text === '' ? true : undefined}
        sx={{ flex: { xs: '1 1 100%', lg: '1 1 18rem' }, maxWidth: { lg: '26rem' } }}
      >
        <FormLabel htmlFor={searchId}>Search</FormLabel>
        <OutlinedInput
          id={searchId}
          type="search"
          size="small"
          fullWidth
          sx={{ minHeight: controlHeight, '& input': { paddingBlock: '6px' } }}
          autoComplete="off"
          placeholder="Title, text, tag or tool"
          value={filter.text}
          onChange={({ target }) => onType({ ...filter, text: target.value })}
        />
      </Box>
      <MenuButton
        name="Category"
        value={categoryLabel(filter.category)}
        choices={categoryChoices}
        selected={filter.category}
        onChoose={(category) => onChange({ ...filter, category })}
      />
      <MenuButton
        name="Difficulty"
        value={difficultyLabel(filter.difficulty)}
        choices={difficultyChoices}
        selected={filter.difficulty}
        onChoose={(difficulty) => onChange({ ...filter, difficulty })}
      />
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minHeight: controlHeight,
          marginLeft: 'auto',
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
