import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { type Column, ColumnHeads } from '../../staff-ui/lists/ColumnHeads.tsx';
import { DataTable, rowsAsBlocks } from '../../staff-ui/lists/data-table.ts';
import { openRow } from '../../staff-ui/lists/open-row.ts';
import { VirtualBody } from '../../staff-ui/lists/VirtualBody.tsx';
import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';
import { formatDate } from '../../format/dates.ts';
import type { LocationState } from '../../routing/location-state.ts';
import { recipePath } from '../../routing/staff-paths.ts';
import { categoryLabel, difficultyLabel, difficultyTones, visibilityLabel } from './recipe-labels.ts';
import { Tags } from './Tags.tsx';
import type { StoredRecipe } from './recipes-api.ts';

export type RecipeAction = 'edit' | 'delete';

interface RecipeTableProps {
  readonly recipes: readonly StoredRecipe[];
  /** The list's filter, passed to a recipe's page for the link back. */
  readonly search: string;
  readonly onAct: (action: RecipeAction, recipe: StoredRecipe) => void;
}

/** Returns the id of the link to a recipe, for the focus. */
export const linkIdOf = ({ id }: StoredRecipe): string => `recipe-${id}`;

/** A recipe may have thirty tags; its page shows all of them. */
const tagsInRow = 8;

const clamped = (lines: number) => ({
  display: '-webkit-box',
  WebkitBoxOrient: 'vertical',
  WebkitLineClamp: lines,
  overflow: 'hidden',
});

/** In narrow windows, the value is on the same line as the cell's name. */
const beside = { xs: 'inline', lg: 'block' };

const Table = styled(DataTable)(({ theme }) => ({
  '& tbody tr': { cursor: 'pointer' },
  '& td': { fontSize: '0.875rem', whiteSpace: 'nowrap' },
  '& tr > td, & tbody tr > th[scope="row"]': { paddingBlock: 14, verticalAlign: 'top' },
  // Aligns taller elements with the title's line.
  [theme.breakpoints.up('lg')]: {
    '& tr > td:has(> span)': { paddingTop: 11 },
    '& tr > td:has(> button)': { paddingTop: 8 },
  },
  [theme.breakpoints.down('lg')]: {
    ...rowsAsBlocks({ display: 'flex', flexWrap: 'wrap', gap: '8px 16px', paddingBlock: 18 }),
    '& tr > td': { color: 'var(--dt-palette-text-secondary)', whiteSpace: 'normal' },
    '& tbody tr > th[scope="row"], & tr > .wide': { flexBasis: '100%' },
    '& tr > td:empty': { display: 'none' },
    // Shows the cell's name where the table has no header.
    '& tr > td[data-name]::before': { content: 'attr(data-name) ": "' },
  },
}));

const columns: readonly Column[] = [
  'Recipe',
  ['Category', '9.5rem'],
  ['Difficulty', '7.5rem'],
  ['Tools', '10rem'],
  ['Time', '7rem'],
  ['Visibility', '5.5rem'],
  ['Updated', '7.25rem'],
  ['Actions', '10rem'],
];

/** The recipes, newest first. */
export function RecipeTable({ recipes, search, onAct }: RecipeTableProps) {
  return (
    <Table aria-label="Recipes" aria-rowcount={recipes.length + 1}>
      <ColumnHeads columns={columns} />
      <VirtualBody table="Recipes" items={recipes} minHeight={5.5}>
        {(recipe, row) => (
          <tr {...row} onClick={openRow}>
            <th scope="row">
              <Link
                id={linkIdOf(recipe)}
                component={RouterLink}
                to={recipePath(recipe.id)}
                state={{ search } satisfies LocationState}
                dir="auto"
                underline="hover"
                sx={{ display: 'inline-block', fontWeight: 600, overflowWrap: 'anywhere', minHeight: 24 }}
              >
                {recipe.title}
              </Link>
              <Typography
                variant="body2"
                component="p"
                dir="auto"
                sx={{
                  ...clamped(2),
                  maxWidth: '60ch',
                  textAlign: 'left',
                  color: 'text.secondary',
                  overflowWrap: 'anywhere',
                }}
              >
                {recipe.description}
              </Typography>
              <Tags label="Tags" texts={recipe.tags} atMost={tagsInRow} />
            </th>
            <td>{categoryLabel(recipe.category)}</td>
            <td>
              <StatusChip tone={difficultyTones[recipe.difficulty]} label={difficultyLabel(recipe.difficulty)} />
            </td>
            <td data-name="Tools">
              {recipe.tools.length > 0 && (
                <Box
                  sx={{
                    display: beside,
                    minWidth: { lg: '6rem' },
                    maxWidth: { lg: '11rem' },
                    whiteSpace: 'normal',
                    overflowWrap: 'anywhere',
                  }}
                >
                  {recipe.tools.join(', ')}
                </Box>
              )}
            </td>
            <td data-name="Time">
              {recipe.estimatedTime !== null && (
                <Box
                  dir="auto"
                  sx={{
                    display: beside,
                    minWidth: { lg: '5.5rem' },
                    maxWidth: { lg: '8rem' },
                    whiteSpace: 'normal',
                    overflowWrap: 'anywhere',
                  }}
                >
                  {recipe.estimatedTime}
                </Box>
              )}
            </td>
            <td>{visibilityLabel(recipe.isPublic)}</td>
            <td data-name="Updated">
              <time dateTime={recipe.updatedAt}>{formatDate(recipe.updatedAt)}</time>
            </td>
            <td className="wide">
              <Button
                size="small"
                variant="outlined"
                aria-label={`Edit ${recipe.title}`}
                onClick={() => onAct('edit', recipe)}
              >
                Edit
              </Button>
              <Button
                size="small"
                aria-label={`Delete ${recipe.title}`}
                onClick={() => onAct('delete', recipe)}
                sx={{ marginLeft: 0.5 }}
              >
                Delete
              </Button>
            </td>
          </tr>
        )}
      </VirtualBody>
    </Table>
  );
}
