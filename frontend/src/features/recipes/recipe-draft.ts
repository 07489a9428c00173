import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { draftIds, type DraftKeeper, draftKeeper } from '../../form/draft-storage.ts';
import { staffPath } from '../../routing/staff-paths.ts';

/** The list and a recipe's own page share their drafts. */
export const recipeDraftPath = staffPath.recipes;

/** @param id - of the recipe; of a new one when left out */
export const recipeDraftName = (id?: string): string => (id === undefined ? recipeForm.$id : `${recipeForm.$id}:${id}`);

/**
 * Where this tab keeps what was written of a recipe.
 * @param id - of a new one when left out
 */
export const recipeDraft = (id?: string): DraftKeeper => draftKeeper(recipeDraftPath, recipeDraftName(id));

/** A recipe whose change is half written in this tab. */
export interface BegunChange {
  readonly id: string;
  /** The one that it had when the change began. */
  readonly title: string;
}

/** The changes that are half written in this tab, also of recipes that are gone by now. */
export function begunChanges(): readonly BegunChange[] {
  return draftIds(recipeDraftPath, recipeForm.$id).flatMap((id) => {
    const begunFrom = recipeDraft(id).read()?.begunFrom;
    return begunFrom ? [{ id, title: String(begunFrom.values['title']) }] : [];
  });
}
