import { type Recipe, recipeForm } from '@dune-tide/domain/forms/recipe';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useFormState } from 'react-final-form';
import validate from 'virtual:validator/recipe';
import { DialogActions, DismissButton } from '../../staff-ui/dialogs/AdminDialog.tsx';
import { FormQuestion } from '../../staff-ui/dialogs/FormQuestion.tsx';
import { UnsavedChanges } from '../../staff-ui/dialogs/UnsavedChanges.tsx';
import { useAfterUnmountToast } from '../../staff-ui/dialogs/use-after-unmount-toast.ts';
import { type Leaving, useDiscardConfirmation } from '../../staff-ui/dialogs/use-discard-confirmation.ts';
import { requestSubmit } from '../../form/request-submit.ts';
import { FormAlert } from '../../form/FormAlert.tsx';
import { checkFields } from '../../staff-ui/failure-text.ts';
import { Form } from '../../form/Form.tsx';
import { SubmitButton } from '../../form/SubmitButton.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { isRequestFailure, type RequestFailure } from '../../api-client/request.ts';
import { toasts } from '../../toasts/toasts.ts';
import { ConflictNotice } from './ConflictNotice.tsx';
import { recipeDraft, recipeDraftName, recipeDraftPath } from './recipe-draft.ts';
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

/** Windows in which a sticky title and sticky buttons would leave no room for the form. */
const lowWindow = '@media (max-height: 32rem)';

/** The title and the buttons stay visible while the form between them scrolls. */
const Frame = styled('div')({
  '&, & > form': { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  [lowWindow]: { '&': { display: 'block', overflowY: 'auto' }, '& > form': { display: 'block' } },
});

const Fields = styled('div')({
  flexGrow: 1,
  minHeight: 0,
  padding: `4px ${inset} 1.5rem`,
  overflowY: 'auto',
  [lowWindow]: { overflowY: 'visible' },
});

const Footer = styled('div')({
  padding: `1rem ${inset}`,
  borderTop: '1px solid var(--dt-palette-divider)',
  '& > :last-child': { marginTop: 0 },
});

const validateFields = fieldsValidator(validate);

/** The reason why the recipe cannot be saved. */
type Obstacle =
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'changed'; readonly theirs: StoredRecipe; readonly hasFailed: boolean };

const adding = { pending: 'Adding...', failed: 'Failed to add recipe.' };

const texts = {
  add: { ...adding, title: 'Add a recipe', submit: 'Add Recipe' },
  addGone: { ...adding, title: 'Add as a new recipe', submit: 'Add as New Recipe' },
  edit: {
    title: 'Edit recipe',
    submit: 'Save Changes',
    pending: 'Saving...',
    failed: 'Failed to update recipe.',
  },
};

/** @param isGone - whether another user has deleted the recipe, so that it can only be added again */
const textFor = (recipe: StoredRecipe | undefined, isGone: boolean) =>
  texts[isGone ? 'addGone' : recipe ? 'edit' : 'add'];

const advice = 'Everything you wrote is still here: check the connection and try again.';
/** A text in a multi-byte script may be within its own limit but exceed that of a request. */
const lengthAdvice = 'It is too long to be sent: please shorten the instructions.';
const goneAdvice = 'Everything you wrote is still here: add it as a new recipe, or cancel.';
const goneWhileOpen = `${texts.edit.failed} Another team member has deleted it. ${goneAdvice}`;
const goneBefore = `This recipe has been deleted. ${goneAdvice}`;

function adviceFor({ status, fieldErrors }: RequestFailure): string {
  if (status === 413) return lengthAdvice;
  return fieldErrors.length > 0 ? checkFields : advice;
}

interface RecipeDialogProps {
  readonly open: boolean;
  /** The recipe to edit; undefined for a new one. */
  readonly recipe?: StoredRecipe | undefined;
  /** The id of a deleted recipe with an unsaved edit, which is offered as a new recipe. */
  readonly goneId?: string | undefined;
  readonly onClose: () => void;
  /** Called when a recipe has been added and the dialog closes. */
  readonly onAdded: (recipe: StoredRecipe) => void;
}

/** Adds or edits a recipe. Unsaved values are discarded only after a confirmation. */
export function RecipeDialog({ open, recipe, goneId, onClose, onAdded }: RecipeDialogProps) {
  const titleId = useId();
  const leaving = useDiscardConfirmation(onClose);
  const [isGone, setIsGone] = useState(goneId !== undefined);

  return (
    <Modal open={open} onClose={leaving.askToLeave} labelledBy={titleId} width="md">
      <Frame>
        <Typography id={titleId} variant="h2" sx={{ padding: `${inset} 4rem 1rem ${inset}` }}>
          {textFor(recipe, isGone).title}
        </Typography>
        <Editor
          recipe={recipe}
          goneId={goneId}
          isGone={isGone}
          leaving={leaving}
          onAdded={onAdded}
          onGone={() => setIsGone(true)}
        />
      </Frame>
    </Modal>
  );
}

interface EditorProps extends Pick<RecipeDialogProps, 'recipe' | 'goneId' | 'onAdded'> {
  readonly isGone: boolean;
  readonly leaving: Leaving;
  /** Called when the server reports that the recipe no longer exists. */
  readonly onGone: () => void;
}

function Editor({ recipe, goneId, isGone, leaving, onAdded, onGone }: EditorProps) {
  const { isAsking, setIsDirty, leave, askTo, askToLeave, stay } = leaving;
  const [addRecipe] = useAddRecipeMutation();
  const [updateRecipe] = useUpdateRecipeMutation();
  const { refetch } = useRecipesQuery();
  const { isThere, tellIfGone } = useAfterUnmountToast();
  const isNew = !recipe || isGone;
  const text = textFor(recipe, isGone);
  const draftId = recipe?.id ?? goneId;
  const [begunAt, setBegunAt] = useState(() => beginning(recipe, goneId));
  const { initialValues, version } = begunAt;
  const before = toRecipe(initialValues);
  const [obstacle, setObstacle] = useState<Obstacle | undefined>(begunAt.obstacle);
  /** The version to overwrite. It differs from the initial one after the user has accepted a conflict. */
  const [target, setTarget] = useState(version);
  const theirs = obstacle?.kind === 'changed' ? obstacle.theirs : undefined;

  const update = async ({ id }: StoredRecipe, over: number, after: Recipe) => {
    try {
      await updateRecipe({ id, version: over, changes: changedFields(before, after) }).unwrap();
    } catch (error) {
      if (!isRequestFailure(error) || (error.status !== 412 && error.status !== 404) || !isThere()) throw error;
      const { data: recipes, isSuccess } = await refetch();
      if (!isSuccess) throw error;
      const stored = recipes.find((each) => each.id === id);
      // Another user has made the same changes.
      if (stored && replacedFields(before, stored, after).length === 0) return;
      if (!stored) onGone();
      setObstacle(
        stored ? { kind: 'changed', theirs: stored, hasFailed: true } : { kind: 'failed', text: goneWhileOpen },
      );
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

  const forgetDraft = () => recipeDraft(draftId).clear();

  const loadTheirs = () => {
    if (!theirs) return;
    forgetDraft();
    setBegunAt({ initialValues: toFields(theirs), version: theirs.version });
    setTarget(theirs.version);
    setObstacle(undefined);
  };

  const discard = () => {
    forgetDraft();
    leaving.discard();
  };

  return (
    <Form<RecipeFields>
      // A form that starts from another version is mounted again.
      key={version}
      label="Recipe"
      schema={recipeForm}
      validate={validateFields}
      initialValues={initialValues}
      draftName={recipeDraftName(draftId)}
      draftPath={recipeDraftPath}
      version={version}
      send={send}
      onSent={() => {
        toasts.success(isNew ? 'Recipe Added' : 'Recipe Updated');
        leave();
      }}
      onFailed={(failure) => {
        tellIfGone(failure, text.failed);
        setObstacle((known) => known ?? { kind: 'failed', text: `${text.failed} ${adviceFor(failure)}` });
      }}
    >
      <UnsavedChanges onDirty={setIsDirty} />
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
        <FormAlert text={obstacle?.kind === 'failed' ? obstacle.text : undefined} />
        {isAsking ? (
          <FormQuestion onStay={stay} onConfirm={discard} />
        ) : (
          <DialogActions>
            <DismissButton onClick={askToLeave} />
            {obstacle?.kind === 'changed' ? (
              <ConflictActions onLoad={() => askTo(loadTheirs)} />
            ) : (
              <SubmitButton label={text.submit} pendingLabel={text.pending} />
            )}
          </DialogActions>
        )}
      </Footer>
    </Form>
  );
}

interface Beginning {
  readonly initialValues: Partial<RecipeFields>;
  readonly version?: number;
  readonly obstacle?: Obstacle;
}

/** Returns the initial values: those of the draft's version if there is a draft, so that conflicts are detected. */
function beginning(recipe: StoredRecipe | undefined, goneId: string | undefined): Beginning {
  const id = recipe?.id ?? goneId;
  const begunFrom = id === undefined ? undefined : recipeDraft(id).read()?.begunFrom;
  const draft = begunFrom && { initialValues: begunFrom.values as Partial<RecipeFields>, version: begunFrom.version };
  if (!recipe && draft) return { ...draft, obstacle: { kind: 'failed', text: goneBefore } };
  if (!recipe) return { initialValues: newRecipe };
  const current = { initialValues: toFields(recipe), version: recipe.version };
  if (!draft || draft.version === recipe.version) return current;
  if (differingFields(toRecipe(draft.initialValues), recipe).length === 0) return current;
  return { ...draft, obstacle: { kind: 'changed', theirs: recipe, hasFailed: false } };
}

function ConflictActions({ onLoad }: { readonly onLoad: () => void }) {
  const { submitting } = useFormState({ subscription: { submitting: true } });
  return (
    <>
      <Button variant="outlined" disabled={submitting} onClick={onLoad}>
        Load their version
      </Button>
      {/* Not a submit button, because Enter in a field must not overwrite another user's changes. */}
      <Button
        variant="contained"
        disabled={submitting}
        onClick={({ currentTarget: { form } }) => form && requestSubmit(form)}
      >
        Save my changes
      </Button>
    </>
  );
}

/** Focuses the first field of the form. */
function FocusFirstField() {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.closest('form')?.querySelector('input')?.focus(), []);
  return <span ref={place} hidden />;
}
