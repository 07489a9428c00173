import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { StatusChip } from '../../staff-ui/lists/StatusChip.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { webAddress } from '../../format/web-address.ts';
import { MarkdownView } from './MarkdownView.tsx';
import { categoryLabel, difficultyLabel, difficultyTones, visibilityLabel } from './recipe-labels.ts';
import type { StoredRecipe } from './recipes-api.ts';
import { Tags } from './Tags.tsx';

const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(9rem, 1fr))',
  gap: '16px 24px',
  fontSize: '0.9375rem',
  [theme.breakpoints.up('lg')]: { gridTemplateColumns: '1fr' },
  '& dt': { color: 'var(--dt-palette-text-secondary)', fontSize: '0.8125rem' },
  '& dd': { marginTop: 2, overflowWrap: 'anywhere' },
  '& dd > ul': { marginTop: 4 },
}));

/** A recipe for reading: its instructions, with the other fields beside them. */
export function RecipeDetails({ recipe }: { readonly recipe: StoredRecipe }) {
  const notionPage = webAddress(recipe.notionPageUrl);
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 16rem' },
        gap: { xs: 3.5, lg: 8 },
        alignItems: 'start',
        paddingTop: 3,
        borderTop: 1,
        borderColor: 'divider',
        // Browsers do not break a grid row across pages.
        '@media print': {
          display: 'block',
          '& > dl': { marginTop: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(9rem, 1fr))' },
        },
      }}
    >
      <Box component="section" aria-labelledby="recipe-instructions">
        <Typography id="recipe-instructions" variant="h2" sx={{ marginBottom: 2 }}>
          Instructions
        </Typography>
        <MarkdownView text={recipe.instructions} />
      </Box>
      <Facts>
        <div>
          <dt>Category</dt>
          <dd>{categoryLabel(recipe.category)}</dd>
        </div>
        <div>
          <dt>Difficulty</dt>
          <dd>
            <StatusChip tone={difficultyTones[recipe.difficulty]} label={difficultyLabel(recipe.difficulty)} />
          </dd>
        </div>
        {recipe.estimatedTime !== null && (
          <div>
            <dt>Estimated time</dt>
            <dd dir="auto">{recipe.estimatedTime}</dd>
          </div>
        )}
        <div>
          <dt>Visibility</dt>
          <dd>{visibilityLabel(recipe.isPublic)}</dd>
        </div>
        {recipe.tools.length > 0 && (
          <div>
            <dt>Tools</dt>
            <dd>
              <Tags label="Tools" texts={recipe.tools} />
            </dd>
          </div>
        )}
        {recipe.tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd>
              <Tags label="Tags" texts={recipe.tags} />
            </dd>
          </div>
        )}
        {notionPage !== undefined && (
          <div>
            <dt>Notion page</dt>
            <dd>
              <Link href={notionPage} target="_blank" rel="noopener noreferrer nofollow">
                {new URL(notionPage).host}
              </Link>
            </dd>
          </div>
        )}
        <div>
          <dt>Updated</dt>
          <dd>
            <time dateTime={recipe.updatedAt}>{formatDateTime(recipe.updatedAt)}</time>
          </dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <time dateTime={recipe.createdAt}>{formatDateTime(recipe.createdAt)}</time>
          </dd>
        </div>
      </Facts>
    </Box>
  );
}
