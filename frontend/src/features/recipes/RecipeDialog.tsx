import { type Recipe, recipeForm } from '@dune-tide/domain/forms/recipe';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useFormState } from 'react-final-form';
import validate from 'virtual:validator/recipe';
import { DialogActions, DismissButton } from '../../components/admin/AdminDialog.tsx';
import { LeaveQuestion } from '../../components/admin/LeaveQuestion.tsx';
import { UnsavedChanges } from '../../components/admin/UnsavedChanges.tsx';
import { useLateAnswer } from '../../components/admin/use-late-answer.ts';
import { useLeaving } from '../../components/admin/use-leaving.ts';
import { FormAlert } from '../../components/form/FormAlert.tsx';
import { Form } from '../../components/form/Form.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { Modal } from '../../components/Modal.tsx';
import { draftKeeper } from '../../lib/drafts.ts';
import { isRequestFailure } from '../../lib/request.ts';
import { useToasts } from '../../lib/toasts/use-toasts.ts';
import { ConflictNotice } from './ConflictNotice.tsx';
import { changedFields, fieldsValidator, newRecipe, type RecipeFields, toFields, toRecipe } from './recipe-fields.ts';
import { RecipeFormFields } from './RecipeFormFields.tsx';
import { type StoredRecipe, useAddRecipeMutation, useRecipesQuery, useUpdateRecipeMutation } from './recipes-api.ts';

const inset = 'clamp(1.25rem, 4vw, 2rem)';

/** The title above and the buttons below stay in sight while the long form is scrolled between them. */
const Frame = styled('div')({
  '&, & > form': { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
});

const Fields = styled('div')({ flexGrow: 1, minHeight: 0, padding: `4px ${inset} 1.5rem`, overflowY: 'auto' });

const Footer = styled('div')({
  padding: `1rem ${inset}`,
  borderTop: '1px solid var(--dt-palette-divider)',
  '& > :last-child': { marginTop: 0 },
});

/** Changes are kept for the version that they were made to: on another one they would overwrite what is not seen. */
const draftNameOf = (recipe: StoredRecipe | undefined): string =>
  recipe ? `${recipeForm.$id}:${recipe.id}:${recipe.version}` : recipeForm.$id;

const validateFields = fieldsValidator(validate);

/** What stands in the way of saving. */
type Obstacle =
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'changed'; readonly theirs: StoredRecipe }
  | { readonly kind: 'deleted' };

const texts = {
  add: { title: 'Add a recipe', submit: 'Add Recipe', pending: 'Adding...', failed: 'Failed to add recipe.' },
  edit: {
    title: 'Edit recipe',
    submit: 'Save Changes',
    pending: 'Saving...',
    failed: 'Failed to update recipe.',
  },
} as const;

const advice = 'Everything you wrote is still here: check the connection and try again.';
const fieldAdvice = 'Some fields need another look.';

interface RecipeDialogProps {
  readonly open: boolean;
  /** The one to edit; a new one when left out. */
  readonly recipe?: StoredRecipe | undefined;
  readonly onClose: () => void;
}

/** Adds or edits a recipe. What was written is given up only by those who say so. */
export function RecipeDialog({ open, recipe, onClose }: RecipeDialogProps) {
  const titleId = useId();
  const { isLeaving, setIsDirty, leave, askToLeave, stay } = useLeaving(onClose);

  return (
    <Modal open={open} onClose={askToLeave} labelledBy={titleId} width="md">
      <Frame>
        <Typography id={titleId} variant="h2" sx={{ padding: `${inset} 4rem 1rem ${inset}` }}>
          {texts[recipe ? 'edit' : 'add'].title}
        </Typography>
        <Editor
          recipe={recipe}
          isLeaving={isLeaving}
          onDone={leave}
          onDirty={setIsDirty}
          onCancel={askToLeave}
          onStay={stay}
        />
      </Frame>
    </Modal>
  );
}

interface EditorProps {
  readonly recipe: StoredRecipe | undefined;
  /** Whether to ask, in the buttons' place, if what was written is to be given up. */
  readonly isLeaving: boolean;
  readonly onDone: () => void;
  readonly onDirty: (isDirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onStay: () => void;
}

function Editor({ recipe, isLeaving, onDone, onDirty, onCancel, onStay }: EditorProps) {
  const [addRecipe] = useAddRecipeMutation();
  const [updateRecipe] = useUpdateRecipeMutation();
  const { refetch } = useRecipesQuery();
  const toasts = useToasts();
  const { isThere, tellIfGone } = useLateAnswer();
  const [obstacle, setObstacle] = useState<Obstacle>();
  /** What is stored, as far as it is known here: changes are made for that version. */
  const [stored, setStored] = useState(recipe);
  /** What the form began with; a new round is a new form. */
  const [{ round, initialValues, draftName }, setBegun] = useState(() => ({
    round: 0,
    initialValues: recipe ? toFields(recipe) : newRecipe,
    draftName: draftNameOf(recipe),
  }));
  const isNew = !stored || obstacle?.kind === 'deleted';
  const text = texts[isNew ? 'add' : 'edit'];
  const overwritten = obstacle?.kind === 'changed' ? obstacle.theirs : undefined;

  const update = async (before: StoredRecipe, after: Recipe) => {
    const { id, version } = before;
    try {
      await updateRecipe({ id, version, changes: changedFields(before, after) }).unwrap();
    } catch (error) {
      if (!isRequestFailure(error) || (error.status !== 412 && error.status !== 404) || !isThere()) throw error;
      const { data: recipes, isSuccess } = await refetch();
      if (!isSuccess) throw error;
      const theirs = recipes.find((each) => each.id === id);
      // Somebody else has made the very same changes.
      if (theirs && Object.keys(changedFields(theirs, after)).length === 0) return;
      setObstacle(theirs ? { kind: 'changed', theirs } : { kind: 'deleted' });
      throw error;
    }
  };

  const send = async (fields: RecipeFields, idempotencyKey: string) => {
    const after = toRecipe(fields);
    const before = overwritten ?? stored;
    setStored(before);
    setObstacle(undefined);
    if (isNew || !before) await addRecipe({ recipe: after, idempotencyKey }).unwrap();
    else await update(before, after);
  };

  const forgetDraft = () => draftKeeper(location.pathname, draftName).clear();

  const startAgain = (theirs: StoredRecipe) => {
    forgetDraft();
    setBegun({ round: round + 1, initialValues: toFields(theirs), draftName: draftNameOf(theirs) });
    setStored(theirs);
    setObstacle(undefined);
  };

  const discard = () => {
    forgetDraft();
    onDone();
  };

  return (
    <Form<RecipeFields>
      key={round}
      label="Recipe"
      schema={recipeForm}
      validate={validateFields}
      initialValues={initialValues}
      draftName={draftName}
      send={send}
      onSent={() => {
        toasts.success(isNew ? 'Recipe Added' : 'Recipe Updated');
        onDone();
      }}
      onFailed={(failure) => {
        tellIfGone(failure, text.failed);
        const { fieldErrors } = failure;
        const failed = `${text.failed} ${fieldErrors.length > 0 ? fieldAdvice : advice}`;
        setObstacle((known) => known ?? { kind: 'failed', text: failed });
      }}
    >
      <UnsavedChanges onDirty={onDirty} />
      <Fields>
        {obstacle?.kind === 'changed' && <ConflictNotice key={obstacle.theirs.version} theirs={obstacle.theirs} />}
        <FocusFirstField />
        <RecipeFormFields />
      </Fields>
      <Footer>
        <FormAlert text={obstacle && alertText(obstacle)} />
        {isLeaving ? (
          <LeaveQuestion onStay={onStay} onDiscard={discard} />
        ) : (
          <DialogActions>
            <DismissButton onClick={onCancel} />
            {obstacle?.kind === 'changed' ? (
              <ConflictActions onLoad={() => startAgain(obstacle.theirs)} />
            ) : (
              <SubmitButton
                label={obstacle?.kind === 'deleted' ? 'Add as New Recipe' : text.submit}
                pendingLabel={text.pending}
              />
            )}
          </DialogActions>
        )}
      </Footer>
    </Form>
  );
}

function alertText(obstacle: Obstacle): string | undefined {
  switch (obstacle.kind) {
    case 'failed':
      return obstacle.text;
    case 'deleted':
      return `${texts.edit.failed} Somebody deleted it meanwhile. Everything you wrote is still here: add it as a new recipe, or cancel.`;
    case 'changed':
      return undefined;
  }
}

function ConflictActions({ onLoad }: { readonly onLoad: () => void }) {
  const { submitting } = useFormState({ subscription: { submitting: true } });
  return (
    <>
      <Button variant="outlined" disabled={submitting} onClick={onLoad}>
        Load their version
      </Button>
      {/* Not the form's own button: Enter in a field must not overwrite anything. */}
      <Button
        variant="contained"
        disabled={submitting}
        onClick={(event) => event.currentTarget.closest('form')?.requestSubmit()}
      >
        Overwrite with mine
      </Button>
    </>
  );
}

/** The form begins at its first field. */
function FocusFirstField() {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.closest('form')?.querySelector('input')?.focus(), []);
  return <span ref={place} hidden />;
}
