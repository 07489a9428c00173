import type { Recipe } from '@dune-tide/domain/forms/recipe';
import Typography from '@mui/material/Typography';
import { useFormState } from 'react-final-form';
import { ConflictBox } from '../../staff-ui/dialogs/ConflictBox.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { differingFields, type RecipeField, type RecipeFields, replacedFields, toRecipe } from './recipe-fields.ts';
import type { StoredRecipe } from './recipes-api.ts';
import { TheirChanges } from './TheirChanges.tsx';

interface ConflictNoticeProps {
  /** The version that the edit started from. */
  readonly before: Recipe;
  readonly theirs: StoredRecipe;
  /** Whether an attempt to save revealed the conflict. */
  readonly hasFailed: boolean;
}

/** Shows that another user has changed the recipe, what they changed, and what saving would replace. */
export function ConflictNotice({ before, theirs, hasFailed }: ConflictNoticeProps) {
  const { values } = useFormState<RecipeFields>({ subscription: { values: true } });
  const fields = differingFields(before, theirs);
  const replaced = replacedFields(before, theirs, toRecipe(values));
  const isMine = (field: RecipeField): boolean => replaced.includes(field);

  return (
    <ConflictBox title="This recipe has changed since you opened it">
      <Typography variant="body2">
        {hasFailed && 'Failed to update recipe. '}
        Their version was saved on {formatDateTime(theirs.updatedAt)}.{' '}
        {fields.some(isMine)
          ? 'Saving overwrites the fields that you both changed, and keeps the rest.'
          : 'You changed other fields, so saving keeps both.'}{' '}
        They changed:
      </Typography>
      <TheirChanges theirs={theirs} fields={fields} isMine={isMine} />
    </ConflictBox>
  );
}
