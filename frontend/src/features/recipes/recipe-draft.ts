import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { draftIds, type DraftKeeper, draftKeeper } from '../../form/draft-storage.ts';
import { staffPath } from '../../routing/staff-paths.ts';

/** The list and the page of a recipe share the drafts. */
export const recipeDraftPath = staffPath.recipes;

/** @param id - the recipe's id; undefined for a new one */
export const recipeDraftName = (id?: string): string => (id === undefined ? recipeForm.$id : `${recipeForm.$id}:${id}`);

/**
 * Returns access to this tab's draft of a recipe.
 * @param id - the recipe's id; undefined for a new one
 */
export const recipeDraft = (id?: string): DraftKeeper => draftKeeper(recipeDraftPath, recipeDraftName(id));

/** A recipe with an unsaved edit in this tab. */
export interface BegunChange {
  readonly id: string;
  /** The title when the edit started. */
  readonly title: string;
}

/** Returns the unsaved edits in this tab, including those of deleted recipes. */
export function begunChanges(): readonly BegunChange[] {
  return draftIds(recipeDraftPath, recipeForm.$id).flatMap((id) => {
    const begunFrom = recipeDraft(id).read()?.begunFrom;
    return begunFrom ? [{ id, title: String(begunFrom.values['title']) }] : [];
  });
}
