import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { formatCount } from '../../format/numbers.ts';
import { type StoredRecipe, useRecipesQuery } from './recipes-api.ts';

/** The number of recipes that are offered; typing finds the others. */
const offeredAtMost = 50;

/** The category whose recipes come first. */
const firstCategory = 'client-management';

/**
 * Returns the recipes whose title or a tag has every word, those for client management first.
 * @param words - as typed
 */
function recipesFor(recipes: readonly StoredRecipe[], words: string): readonly StoredRecipe[] {
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean);
  const found = recipes.filter(({ title, tags }) => {
    const text = [title, ...tags].join('\n').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const isFirst = ({ category }: StoredRecipe): boolean => category === firstCategory;
  return [...found.filter(isFirst), ...found.filter((recipe) => !isFirst(recipe))];
}

interface RecipePickerProps {
  /** Called with the instructions of the chosen recipe. */
  readonly onPick: (text: string) => void;
  readonly onClose: () => void;
}

/** Searches the recipes by title and tag, and returns the text of one. */
export function RecipePicker({ onPick, onClose }: RecipePickerProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const { data, isError, refetch } = useRecipesQuery();
  useEffect(() => field.current?.focus(), []);
  const found = data && recipesFor(data, words);
  return (
    <Box
      component="section"
      aria-label="Recipes"
      onKeyDown={(event) => {
        // Enter must not send the reply, and Escape must not close the dialog.
        if (event.key === 'Enter' && event.target === field.current) event.preventDefault();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      sx={{ marginBottom: 2, padding: 1.5, border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <FormControl fullWidth>
        <FormLabel htmlFor={id}>Search recipes by title or tag</FormLabel>
        <OutlinedInput
          id={id}
          inputRef={field}
          type="search"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      </FormControl>
      {isError && (
        <Typography variant="body2" role="alert" sx={{ marginTop: 1 }}>
          Could not load the recipes. <Button onClick={() => void refetch()}>Try again</Button>
        </Typography>
      )}
      {found?.length === 0 && (
        <Typography variant="body2" sx={{ marginTop: 1 }}>
          {data?.length === 0 ? 'No recipes yet.' : 'No recipes match.'}
        </Typography>
      )}
      <Box component="ul" sx={{ marginTop: 1, maxHeight: '12rem', overflow: 'auto' }}>
        {found?.slice(0, offeredAtMost).map((recipe) => (
          <li key={recipe.id}>
            <Button
              fullWidth
              variant="text"
              onClick={() => onPick(recipe.instructions)}
              sx={{ justifyContent: 'start', textAlign: 'start' }}
            >
              <bdi>{recipe.title}</bdi>
            </Button>
          </li>
        ))}
      </Box>
      {found && found.length > offeredAtMost && (
        <Typography variant="caption" component="p" sx={{ marginTop: 1, color: 'text.secondary' }}>
          {`The first ${offeredAtMost} of ${formatCount(found.length)}. Type to find others.`}
        </Typography>
      )}
      <Button variant="outlined" size="small" onClick={onClose} sx={{ marginTop: 1 }}>
        Close recipes
      </Button>
    </Box>
  );
}
