import Box from '@mui/material/Box';
import { useState } from 'react';
import { isRequestFailure, type RequestFailure } from '../../api-client/request.ts';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { useAfterUnmountToast } from '../../staff-ui/dialogs/use-after-unmount-toast.ts';
import { toasts } from '../../toasts/toasts.ts';
import { recipeDraft } from './recipe-draft.ts';
import { differingFields } from './recipe-fields.ts';
import { type StoredRecipe, useDeleteRecipeMutation, useRecipesQuery } from './recipes-api.ts';
import { TheirChanges } from './TheirChanges.tsx';

interface DeleteRecipeDialogProps {
  readonly open: boolean;
  readonly recipe: StoredRecipe | undefined;
  readonly onClose: () => void;
  /** Called when the recipe has been deleted and the dialog closes. */
  readonly onDeleted: () => void;
}

/** Confirms that a recipe is deleted. */
export function DeleteRecipeDialog({ open, recipe, onClose, onDeleted }: DeleteRecipeDialogProps) {
  const [deleteRecipe] = useDeleteRecipeMutation();
  const { refetch } = useRecipesQuery();
  const { isThere } = useAfterUnmountToast();
  /** The current version, if another user has changed the recipe while the dialog was open. */
  const [theirs, setTheirs] = useState<StoredRecipe>();
  if (!recipe) return null;

  const loadTheirs = async (conflict: RequestFailure) => {
    const recipes = await refetch().unwrap();
    const stored = recipes.find(({ id }) => id === recipe.id);
    // Deleted after the conflict.
    if (!stored) throw { ...conflict, status: 404 } satisfies RequestFailure;
    setTheirs(stored);
  };

  const confirm = async () => {
    const { id, version } = theirs ?? recipe;
    try {
      await deleteRecipe({ id, version }).unwrap();
    } catch (error) {
      if (isRequestFailure(error) && error.status === 412 && isThere()) await loadTheirs(error);
      throw error;
    }
    // Otherwise the draft would be offered as a new recipe.
    recipeDraft(id).clear();
    toasts.success('Recipe Deleted');
  };

  return (
    <ConfirmDialog
      open={open}
      title="Delete this recipe?"
      text={
        <>
          “
          <Box component="bdi" sx={{ overflowWrap: 'anywhere' }}>
            {recipe.title}
          </Box>
          ” will be gone for everyone. This cannot be undone.
        </>
      }
      confirmLabel="Delete Recipe"
      pendingLabel="Deleting..."
      color="error"
      failureText="Failed to delete recipe. Check the connection and try again."
      conflictText="Failed to delete recipe. Another team member has changed it. Review the changes before you delete it."
      goneText="Failed to delete recipe. Another team member has already deleted it."
      onConfirm={confirm}
      onClose={onClose}
      onDone={onDeleted}
    >
      {theirs && (
        <Box sx={{ marginBottom: 2.5 }}>
          <TheirChanges theirs={theirs} fields={differingFields(recipe, theirs)} />
        </Box>
      )}
    </ConfirmDialog>
  );
}
