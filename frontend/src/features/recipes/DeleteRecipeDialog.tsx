import Button from '@mui/material/Button';
import { useEffect, useRef } from 'react';
import { AdminDialog, DialogActions } from '../../components/admin/AdminDialog.tsx';
import { FormAlert } from '../../components/form/FormAlert.tsx';
import { isRequestFailure } from '../../lib/request.ts';
import { useToasts } from '../../lib/toasts/use-toasts.ts';
import { type StoredRecipe, useDeleteRecipeMutation, useRecipesQuery } from './recipes-api.ts';

interface DeleteRecipeDialogProps {
  readonly open: boolean;
  readonly recipe: StoredRecipe | undefined;
  readonly onClose: () => void;
  /** The recipe is gone, and the dialog closes. */
  readonly onDeleted: (recipe: StoredRecipe) => void;
}

/** Asks before a recipe is deleted. */
export function DeleteRecipeDialog({ open, recipe, onClose, onDeleted }: DeleteRecipeDialogProps) {
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title="Delete this recipe?"
      introduction={`“${recipe?.title}” will be gone for everyone. This cannot be undone.`}
    >
      {recipe && <Question recipe={recipe} onClose={onClose} onDeleted={onDeleted} />}
    </AdminDialog>
  );
}

type QuestionProps = Pick<DeleteRecipeDialogProps, 'onClose' | 'onDeleted'> & { readonly recipe: StoredRecipe };

function Question({ recipe, onClose, onDeleted }: QuestionProps) {
  const [deleteRecipe, { isLoading, error }] = useDeleteRecipeMutation();
  const { refetch } = useRecipesQuery();
  const toasts = useToasts();
  const closeButton = useRef<HTMLButtonElement>(null);
  const deleteButton = useRef<HTMLButtonElement>(null);
  const wasDeleted = isRequestFailure(error) && error.status === 404;

  const confirm = async () => {
    const answer = await deleteRecipe(recipe.id);
    if (!answer.error) {
      toasts.success('Recipe Deleted');
      onDeleted(recipe);
    } else if (isRequestFailure(answer.error) && answer.error.status === 404) {
      void refetch();
    }
  };

  // The button loses the focus while it is disabled.
  useEffect(() => {
    if (error) (deleteButton.current ?? closeButton.current)?.focus();
  }, [error]);

  return (
    <>
      <FormAlert
        text={
          wasDeleted
            ? 'Failed to delete recipe. Somebody deleted it meanwhile, so there is nothing left to do.'
            : error && 'Failed to delete recipe. Nothing has been changed: check the connection and try again.'
        }
      />
      <DialogActions>
        <Button variant="outlined" ref={closeButton} onClick={wasDeleted ? () => onDeleted(recipe) : onClose}>
          {wasDeleted ? 'Close' : 'Cancel'}
        </Button>
        {!wasDeleted && (
          <Button
            variant="contained"
            color="error"
            ref={deleteButton}
            disabled={isLoading}
            onClick={() => void confirm()}
          >
            {isLoading ? 'Deleting...' : 'Delete Recipe'}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
