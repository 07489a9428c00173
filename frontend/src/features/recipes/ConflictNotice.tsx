import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useFormState } from 'react-final-form';
import { formatDateTime } from '../../lib/dates.ts';
import { changedFields, type RecipeFields, recipeFieldNames, toRecipe } from './recipe-fields.ts';
import { fieldLabel, fieldText } from './recipe-labels.ts';
import type { StoredRecipe } from './recipes-api.ts';

const Differences = styled('dl')(({ theme }) => ({
  display: 'grid',
  gap: '10px 20px',
  margin: '12px 0 0',
  fontSize: '0.875rem',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '9rem minmax(0, 1fr)' },
  '& dt': { fontWeight: 600 },
  '& dd': { margin: 0, overflowWrap: 'anywhere' },
}));

const LongText = styled('section')({
  maxHeight: '11em',
  padding: '6px 10px',
  overflowY: 'auto',
  border: '1px solid var(--dt-palette-divider)',
  borderRadius: 4,
  whiteSpace: 'pre-wrap',
});

/** Says that somebody else changed the recipe meanwhile, and what they have where the form has something else. */
export function ConflictNotice({ theirs }: { readonly theirs: StoredRecipe }) {
  const notice = useRef<HTMLDivElement>(null);
  const { values } = useFormState<RecipeFields>({ subscription: { values: true } });
  const differing = changedFields(theirs, toRecipe(values));

  useEffect(() => {
    notice.current?.focus({ preventScroll: true });
    notice.current?.scrollIntoView({ block: 'center' });
  }, []);

  return (
    <Box
      ref={notice}
      role="alert"
      tabIndex={-1}
      sx={{
        marginBottom: 2.5,
        padding: '14px 16px',
        borderRadius: 1,
        borderLeft: '3px solid var(--dt-palette-error-main)',
        background: 'color-mix(in srgb, var(--dt-palette-error-main) 9%, transparent)',
      }}
    >
      <Typography sx={{ fontWeight: 600 }}>Somebody else changed this recipe meanwhile</Typography>
      <Typography variant="body2">
        Failed to update recipe. Theirs was saved on {formatDateTime(theirs.updatedAt)}; where it differs from yours it
        says:
      </Typography>
      <Differences aria-label="Their version">
        {recipeFieldNames
          .filter((field) => Object.hasOwn(differing, field))
          .map((field) => (
            <Box key={field} sx={{ display: 'contents' }}>
              <dt>{fieldLabel(field)}</dt>
              <dd>
                {field === 'instructions' ? (
                  <LongText dir="auto" tabIndex={0} aria-label="Their instructions">
                    {theirs.instructions}
                  </LongText>
                ) : (
                  <span dir="auto">{fieldText(theirs, field)}</span>
                )}
              </dd>
            </Box>
          ))}
      </Differences>
    </Box>
  );
}
