import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useRef, useState } from 'react';
import { AdminDialog, DialogActions, DismissButton } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { useAfterUnmountToast } from '../../staff-ui/dialogs/use-after-unmount-toast.ts';
import { FormAlert } from '../../form/FormAlert.tsx';
import { useModalHold } from '../../ui/modal-hold.ts';
import { isRequestFailure, type RequestFailure } from '../../api-client/request.ts';
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
  readonly onDeleted: (recipe: StoredRecipe) => void;
}

/** Confirms that a recipe is deleted. */
export function DeleteRecipeDialog({ open, recipe, onClose, onDeleted }: DeleteRecipeDialogProps) {
  return (
    <AdminDialog
      open={open}
      onClose={onClose}
      title="Delete this recipe?"
      introduction={
        <>
          “
          <Box component="bdi" sx={{ overflowWrap: 'anywhere' }}>
            {recipe?.title}
          </Box>
          ” will be gone for everyone. This cannot be undone.
        </>
      }
    >
      {recipe && <Question recipe={recipe} onClose={onClose} onDeleted={onDeleted} />}
    </AdminDialog>
  );
}

type QuestionProps = Pick<DeleteRecipeDialogProps, 'onClose' | 'onDeleted'> & { readonly recipe: StoredRecipe };

function Question({ recipe, onClose, onDeleted }: QuestionProps) {
  const [deleteRecipe] = useDeleteRecipeMutation();
  const { refetch } = useRecipesQuery();
  const closeButton = useRef<HTMLButtonElement>(null);
  const deleteButton = useRef<HTMLButtonElement>(null);
  const { isThere, tellIfGone } = useAfterUnmountToast();
  /** The current version, if another user has changed the recipe while the dialog was open. */
  const [theirs, setTheirs] = useState<StoredRecipe>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setIsBusy] = useState(false);
  useModalHold({ isBusy });

  /** Returns the reason for a failure. After a conflict it loads the current version. */
  const reasonOf = async ({ status }: RequestFailure): Promise<Failure> => {
    if (status === 404) return 'gone';
    if (status !== 412) return 'other';
    if (!isThere()) return 'changed';
    const { data: recipes, isSuccess } = await refetch();
    if (!isSuccess) return 'other';
    const stored = recipes.find(({ id }) => id === recipe.id);
    setTheirs(stored);
    return stored ? 'changed' : 'gone';
  };

  const confirm = async () => {
    const { id, version } = theirs ?? recipe;
    setIsBusy(true);
    const { error } = await deleteRecipe({ id, version });
    if (!error) {
      // Otherwise the draft would be offered as a new recipe.
      recipeDraft(id).clear();
      toasts.success('Recipe Deleted');
      if (isThere()) onDeleted(recipe);
    } else if (isRequestFailure(error)) {
      const reason = await reasonOf(error);
      setFailure(reason);
      tellIfGone(error, failureTexts[reason]);
    }
    setIsBusy(false);
  };

  // The button loses the focus while it is disabled.
  useEffect(() => {
    if (failure && !isBusy) (deleteButton.current ?? closeButton.current)?.focus();
  }, [failure, isBusy]);

  return (
    <>
      <FormAlert text={failure && !isBusy ? failureTexts[failure] : undefined} />
      {theirs && failure !== 'gone' && (
        <Box sx={{ marginBottom: 2.5 }}>
          <TheirChanges theirs={theirs} fields={differingFields(recipe, theirs)} />
        </Box>
      )}
      <DialogActions>
        {failure === 'gone' ? (
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
              disabled={isBusy}
              onClick={() => void confirm()}
            >
              {isBusy ? 'Deleting...' : 'Delete Recipe'}
            </Button>
          </>
        )}
      </DialogActions>
    </>
  );
}

type Failure = 'gone' | 'changed' | 'other';

const failureTexts: Readonly<Record<Failure, string>> = {
  gone: 'Failed to delete recipe. Another team member has already deleted it.',
  changed: 'Failed to delete recipe. Another team member has changed it. Review the changes before you delete it.',
  other: 'Failed to delete recipe. Check the connection and try again.',
};
