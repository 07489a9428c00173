import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormLabel from '@mui/material/FormLabel';
import { styled } from '@mui/material/styles';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import useForkRef from '@mui/utils/useForkRef';
import useAutocomplete from '@mui/material/useAutocomplete';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { comparable } from './recipe-filter.ts';
import { shortText, tryReading } from './try-reading.ts';
import { formatCount } from '../../format/numbers.ts';
import { type StoredRecipe, useRecipesQuery } from './recipes-api.ts';

const Options = styled('ul')({
  marginTop: '0.5rem',
  maxHeight: '12rem',
  overflow: 'auto',
  '& > li': { padding: '0.5rem 0.75rem', borderRadius: 6, cursor: 'pointer', overflowWrap: 'anywhere' },
  '& > li.Mui-focused': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 10%, transparent)' },
});

/** The category whose recipes come first. */
const firstCategory = 'client-management';

/**
 * Returns the recipes whose title or a tag has every word, those for client management first.
 * @param words - as typed
 */
function recipesFor(recipes: readonly StoredRecipe[], words: string): readonly StoredRecipe[] {
  const wanted = comparable(words).split(' ').filter(Boolean);
  const found = recipes.filter(({ title, tags }) => {
    const text = comparable([title, ...tags].join('\n'));
    return wanted.every((word) => text.includes(word));
  });
  const isFirst = ({ category }: StoredRecipe): boolean => category === firstCategory;
  return [...found.filter(isFirst), ...found.filter((recipe) => !isFirst(recipe))];
}

/** More recipes than this are found by more words. */
const mostShown = 50;

/** Loaded when a recipe is chosen, because the Markdown parser is larger than the rest of the page. */
const loadTexts = () => import('./instructions-text.ts');

/** Returns the instructions of a recipe as plain text; as they are written if parsing them takes too long. */
async function textOf({ instructions }: StoredRecipe): Promise<string> {
  const { textOfInstructions } = await loadTexts();
  const isReadable =
    instructions.length <= shortText ||
    (await new Promise<boolean>((resolve) => void tryReading(instructions, resolve)));
  return isReadable ? textOfInstructions(instructions) : instructions;
}

interface RecipePickerProps {
  /** Called with the instructions of the chosen recipe as plain text. */
  readonly onPick: (text: string) => void;
  readonly onClose: () => void;
}

/** Searches the recipes by title and tag, and returns the text of one. */
export function RecipePicker({ onPick, onClose }: RecipePickerProps) {
  const field = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  const { data, isError, refetch } = useRecipesQuery();
  useEffect(() => field.current?.focus(), []);
  const found = recipesFor(data ?? [], words);
  const pick = async (recipe: StoredRecipe) => {
    setHasFailed(false);
    try {
      onPick(await textOf(recipe));
    } catch {
      // The script could not be loaded.
      setHasFailed(true);
    }
  };
  const { getRootProps, getInputLabelProps, getInputProps, getListboxProps, getOptionProps } = useAutocomplete({
    options: found.slice(0, mostShown),
    filterOptions: (options) => options,
    getOptionLabel: ({ title }) => title,
    getOptionKey: ({ id }) => id,
    open: true,
    autoHighlight: true,
    value: null,
    inputValue: words,
    onInputChange: (_, typed, reason) => {
      if (reason === 'input') setWords(typed);
    },
    onChange: (_, recipe) => recipe && void pick(recipe),
    onClose: (_, reason) => {
      if (reason === 'escape') onClose();
    },
  });
  const { ref: inputRef, ...inputProps } = getInputProps() as ReturnType<typeof getInputProps> & {
    readonly ref: RefObject<HTMLInputElement | null>;
  };
  const fieldRef = useForkRef(inputRef, field);
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
      <div {...getRootProps()}>
        <FormControl fullWidth>
          <FormLabel {...getInputLabelProps()}>Search recipes by title or tag</FormLabel>
          <OutlinedInput inputRef={fieldRef} inputProps={inputProps} type="search" />
        </FormControl>
      </div>
      {isError && (
        <Typography variant="body2" role="alert" sx={{ marginTop: 1 }}>
          Could not load the recipes. <Button onClick={() => void refetch()}>Try again</Button>
        </Typography>
      )}
      {hasFailed && (
        <Typography variant="body2" role="alert" sx={{ marginTop: 1 }}>
          Could not insert the recipe. Check the connection and try again.
        </Typography>
      )}
      {data && found.length === 0 && (
        <Typography variant="body2" sx={{ marginTop: 1 }}>
          {data.length === 0 ? 'No recipes yet.' : 'No recipes match.'}
        </Typography>
      )}
      {found.length > 0 && (
        <Options {...getListboxProps()}>
          {found.slice(0, mostShown).map((option, index) => {
            const { key, ...props } = getOptionProps({ option, index }) as ReturnType<typeof getOptionProps> & {
              readonly key: string;
            };
            return (
              <li key={key} {...props}>
                <bdi>{option.title}</bdi>
              </li>
            );
          })}
        </Options>
      )}
      {found.length > mostShown && (
        <Typography variant="caption" component="p" sx={{ marginTop: 1, color: 'text.secondary' }}>
          {mostShown} of {formatCount(found.length)} recipes. Type more to find the others.
        </Typography>
      )}
      <Button variant="outlined" size="small" onClick={onClose} sx={{ marginTop: 1 }}>
        Close recipes
      </Button>
    </Box>
  );
}
