import Button from '@mui/material/Button';
import { useEffect, useRef } from 'react';
import { AdminDialog, DialogActions, DismissButton } from '../../components/admin/AdminDialog.tsx';
import { useLateAnswer } from '../../components/admin/use-late-answer.ts';
import { FormAlert } from '../../components/form/FormAlert.tsx';
import { useModalHold } from '../../components/modal-hold.ts';
import { isRequestFailure, type RequestFailure } from '../../lib/request.ts';
import { useToasts } from '../../lib/toasts/use-toasts.ts';
import { type StoredRecipe, useDeleteRecipeMutation } from './recipes-api.ts';

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
      introduction={
        <>
          “<bdi>{recipe?.title}</bdi>” will be gone for everyone. This cannot be undone.
        </>
      }
    >
      {recipe && <Question recipe={recipe} onClose={onClose} onDeleted={onDeleted} />}
    </AdminDialog>
  );
}

type QuestionProps = Pick<DeleteRecipeDialogProps, 'onClose' | 'onDeleted'> & { readonly recipe: StoredRecipe };

function Question({ recipe, onClose, onDeleted }: QuestionProps) {
  const [deleteRecipe, { isLoading, error }] = useDeleteRecipeMutation();
  const toasts = useToasts();
  const closeButton = useRef<HTMLButtonElement>(null);
  const deleteButton = useRef<HTMLButtonElement>(null);
  const { isThere, tellIfGone } = useLateAnswer();
  useModalHold({ isBusy: isLoading });
  const failure = isRequestFailure(error) ? error : undefined;
  const wasDeleted = failure?.status === 404;

  const confirm = async () => {
    const answer = await deleteRecipe(recipe.id);
    if (!answer.error) {
      toasts.success('Recipe Deleted');
      if (isThere()) onDeleted(recipe);
    } else if (isRequestFailure(answer.error)) {
      tellIfGone(answer.error, failureText(answer.error));
    }
  };

  // The button loses the focus while it is disabled.
  useEffect(() => {
    if (error) (deleteButton.current ?? closeButton.current)?.focus();
  }, [error]);

  return (
    <>
      <FormAlert text={failure && failureText(failure)} />
      <DialogActions>
        {wasDeleted ? (
          <Button variant="outlined" ref={closeButton} onClick={() => onDeleted(recipe)}>
            Close
          </Button>
        ) : (
          <>
            <DismissButton onClick={onClose} />
            <Button
              variant="contained"
              color="error"
              ref={deleteButton}
              disabled={isLoading}
              onClick={() => void confirm()}
            >
              {isLoading ? 'Deleting...' : 'Delete Recipe'}
            </Button>
          </>
        )}
      </DialogActions>
    </>
  );
}

const failureText = ({ status }: RequestFailure): string =>
  status === 404
    ? 'Failed to delete recipe. Somebody deleted it meanwhile, so there is nothing left to do.'
    : 'Failed to delete recipe. Check the connection and try again.';
