import { recipeCategories, recipeDifficulties } from '@dune-tide/domain/forms/recipe';
import { styled } from '@mui/material/styles';
import { CheckboxField } from '../../form/CheckboxField.tsx';
import { ChoiceField } from '../../form/ChoiceField.tsx';
import { FieldGroup, FullWidth } from '../../form/FieldGroup.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { TextField } from '../../form/TextField.tsx';
import { InstructionsField } from './InstructionsField.tsx';

/** Needs no gap between the fields, because each field reserves space for its message. */
const Dense = styled('div')({
  '& fieldset > :last-child': { rowGap: 10 },
  '& [role="radiogroup"]': { gridTemplateColumns: 'repeat(auto-fit, minmax(7.5rem, 1fr))' },
  '& [role="radiogroup"] > label': { paddingBlock: 8 },
});

/** A recipe's fields (docs/PRODUCT.md, "Recipe form"). */
export function RecipeFormFields() {
  return (
    <Dense>
      <FieldGroup title="Basics">
        <FullWidth>
          <TextField name="title" />
        </FullWidth>
        <FullWidth>
          <TextField name="description" rows={2} hint="The result, in one or two sentences." />
        </FullWidth>
        <SelectField name="category" options={recipeCategories} placeholder="Select a category" />
        <TextField name="estimatedTime" label="Estimated time" />
        <FullWidth>
          <ChoiceField name="difficulty" options={recipeDifficulties} />
        </FullWidth>
      </FieldGroup>
      <FieldGroup title="Steps">
        <FullWidth>
          <InstructionsField />
        </FullWidth>
      </FieldGroup>
      <FieldGroup title="Tags and links">
        <TextField name="tags" hint="Separated by commas." />
        <TextField name="tools" hint="Separated by commas." />
        <FullWidth>
          <TextField name="notionPageUrl" type="url" inputMode="url" hint="Starts with https://" />
        </FullWidth>
        <FullWidth>
          <CheckboxField name="isPublic" hint="May be shown to people outside of the studio." />
        </FullWidth>
      </FieldGroup>
    </Dense>
  );
}
