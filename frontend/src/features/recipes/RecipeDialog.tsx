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
import {
  changedFields,
  differingFields,
  fieldsValidator,
  newRecipe,
  type RecipeFields,
  replacedFields,
  toFields,
  toRecipe,
} from './recipe-fields.ts';
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

/** Where this page keeps what was written of a recipe; of a new one when it is left out. */
const draftOf = (recipe: StoredRecipe | undefined) => draftKeeper(location.pathname, draftNameOf(recipe));

const draftNameOf = (recipe: StoredRecipe | undefined): string =>
  recipe ? `${recipeForm.$id}:${recipe.id}` : recipeForm.$id;

/** Whether a recipe is half written on this page. */
export const isBegun = (recipe: StoredRecipe | undefined): boolean => draftOf(recipe).read() !== undefined;

const validateFields = fieldsValidator(validate);

/** What stands in the way of saving. */
type Obstacle =
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'changed'; readonly theirs: StoredRecipe; readonly hasFailed: boolean }
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
  /** A recipe was added, and the dialog closes. */
  readonly onAdded: (recipe: StoredRecipe) => void;
}

/** Adds or edits a recipe. What was written is given up only by those who say so. */
export function RecipeDialog({ open, recipe, onClose, onAdded }: RecipeDialogProps) {
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
          onAdded={onAdded}
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
  readonly onAdded: (recipe: StoredRecipe) => void;
  readonly onDirty: (isDirty: boolean) => void;
  readonly onCancel: () => void;
  readonly onStay: () => void;
}

function Editor({ recipe, isLeaving, onDone, onAdded, onDirty, onCancel, onStay }: EditorProps) {
  const [addRecipe] = useAddRecipeMutation();
  const [updateRecipe] = useUpdateRecipeMutation();
  const { refetch } = useRecipesQuery();
  const toasts = useToasts();
  const { isThere, tellIfGone } = useLateAnswer();
  const [begunAt, setBegunAt] = useState(() => beginning(recipe));
  const { round, initialValues, version } = begunAt;
  const before = toRecipe(initialValues as RecipeFields);
  const [obstacle, setObstacle] = useState<Obstacle | undefined>(begunAt.obstacle);
  /** The version that the changes are laid over: another one than the form began with once somebody has agreed. */
  const [target, setTarget] = useState(version);
  const [isLoadingTheirs, setIsLoadingTheirs] = useState(false);
  const isNew = !recipe || obstacle?.kind === 'deleted';
  const text = texts[isNew ? 'add' : 'edit'];
  const theirs = obstacle?.kind === 'changed' ? obstacle.theirs : undefined;

  const update = async ({ id }: StoredRecipe, over: number, after: Recipe) => {
    try {
      await updateRecipe({ id, version: over, changes: changedFields(before, after) }).unwrap();
    } catch (error) {
      if (!isRequestFailure(error) || (error.status !== 412 && error.status !== 404) || !isThere()) throw error;
      const { data: recipes, isSuccess } = await refetch();
      if (!isSuccess) throw error;
      const stored = recipes.find((each) => each.id === id);
      // Somebody else has made the very same changes.
      if (stored && replacedFields(before, stored, after).length === 0) return;
      setObstacle(stored ? { kind: 'changed', theirs: stored, hasFailed: true } : { kind: 'deleted' });
      throw error;
    }
  };

  const send = async (fields: RecipeFields, idempotencyKey: string) => {
    const after = toRecipe(fields);
    const over = theirs?.version ?? target;
    setTarget(over);
    setObstacle(undefined);
    if (!isNew && over !== undefined) return update(recipe, over, after);
    const added = await addRecipe({ recipe: after, idempotencyKey }).unwrap();
    if (isThere()) onAdded(added);
  };

  const forgetDraft = () => draftOf(recipe).clear();

  const loadTheirs = () => {
    if (!theirs) return;
    forgetDraft();
    setBegunAt({ round: round + 1, initialValues: toFields(theirs), version: theirs.version });
    setTarget(theirs.version);
    setObstacle(undefined);
    setIsLoadingTheirs(false);
  };

  const discard = () => {
    forgetDraft();
    onDone();
  };

  const stay = () => {
    setIsLoadingTheirs(false);
    onStay();
  };

  return (
    <Form<RecipeFields>
      key={round}
      label="Recipe"
      schema={recipeForm}
      validate={validateFields}
      initialValues={initialValues}
      draftName={draftNameOf(recipe)}
      version={version}
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
        {obstacle?.kind === 'changed' && (
          <ConflictNotice
            key={obstacle.theirs.version}
            before={before}
            theirs={obstacle.theirs}
            hasFailed={obstacle.hasFailed}
          />
        )}
        <FocusFirstField />
        <RecipeFormFields />
      </Fields>
      <Footer>
        <FormAlert text={obstacle && alertText(obstacle)} />
        {isLeaving || isLoadingTheirs ? (
          <LeaveQuestion onStay={stay} onDiscard={isLeaving ? discard : loadTheirs} />
        ) : (
          <DialogActions>
            <DismissButton onClick={onCancel} />
            {obstacle?.kind === 'changed' ? (
              <ConflictActions onLoad={() => setIsLoadingTheirs(true)} />
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

interface Beginning {
  /** A new round is a new form. */
  readonly round: number;
  readonly initialValues: Partial<RecipeFields>;
  readonly version?: number;
  readonly obstacle?: Obstacle;
}

/** What the form begins with: where a draft goes on, what that began from, so that nobody's change goes unseen. */
function beginning(recipe: StoredRecipe | undefined): Beginning {
  if (!recipe) return { round: 0, initialValues: newRecipe };
  const current = { round: 0, initialValues: toFields(recipe), version: recipe.version };
  const begunFrom = draftOf(recipe).read()?.begunFrom;
  if (!begunFrom || begunFrom.version === recipe.version) return current;
  const initialValues = begunFrom.values as Partial<RecipeFields>;
  if (differingFields(toRecipe(initialValues as RecipeFields), recipe).length === 0) return current;
  return {
    round: 0,
    initialValues,
    version: begunFrom.version,
    obstacle: { kind: 'changed', theirs: recipe, hasFailed: false },
  };
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
        Save my changes
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
