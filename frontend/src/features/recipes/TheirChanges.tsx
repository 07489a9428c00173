import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import type { RecipeField } from './recipe-fields.ts';
import { fieldLabel, fieldText } from './recipe-labels.ts';
import type { StoredRecipe } from './recipes-api.ts';

const Changes = styled('dl')(({ theme }) => ({
  display: 'grid',
  gap: '10px 20px',
  marginTop: 12,
  fontSize: '0.875rem',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '9rem minmax(0, 1fr)' },
  '& dt': { fontWeight: 600 },
  '& dd': { overflowWrap: 'anywhere' },
}));

const LongText = styled('section')({
  maxHeight: '11em',
  padding: '6px 10px',
  overflowY: 'auto',
  border: '1px solid var(--dt-palette-divider)',
  borderRadius: 4,
  whiteSpace: 'pre-wrap',
});

interface TheirChangesProps {
  readonly theirs: StoredRecipe;
  /** The fields that the other user changed. */
  readonly fields: readonly RecipeField[];
  /** Returns whether the current user has changed the field as well. */
  readonly isMine?: (field: RecipeField) => boolean;
}

/** The current values of the fields that another user has changed. */
export function TheirChanges({ theirs, fields, isMine }: TheirChangesProps) {
  return (
    <Changes aria-label="Their changes">
      {fields.map((field) => (
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
            {isMine?.(field) === true && (
              <Box component="small" sx={{ display: 'block', marginTop: 0.25, color: 'text.secondary' }}>
                You changed it too
              </Box>
            )}
          </dd>
        </Box>
      ))}
    </Changes>
  );
}
