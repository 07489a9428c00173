import type { Recipe } from '@dune-tide/domain/forms/recipe';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';

/** A recipe as it is stored. */
export type StoredRecipe = Presented<typeof recipeResponse>;

const columns = {
  id: 'id',
  title: 'title',
  description: 'description',
  instructions: 'instructions',
  category: 'category',
  difficulty: 'difficulty',
  tags: 'tags',
  tools: 'tools',
  notionPageUrl: 'notion_page_url',
  estimatedTime: 'estimated_time',
  isPublic: 'is_public',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  version: 'version',
} as const satisfies Record<keyof StoredRecipe, string>;

/**
 * Reads and changes recipes.
 * @param db - a pool or a transaction
 */
export function recipeStore(db: Knex) {
  const one = async (id: string): Promise<StoredRecipe | undefined> =>
    db('recipes').where({ id }).first<StoredRecipe | undefined>(columns);

  return {
    one,

    /** Returns all recipes, newest first. */
    async all(): Promise<StoredRecipe[]> {
      return db('recipes')
        .select<StoredRecipe[]>(columns)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]);
    },

    /**
     * Stores a recipe unless its id is taken.
     * @returns undefined if an earlier attempt has used the id
     */
    async add(id: string, recipe: Recipe): Promise<StoredRecipe | undefined> {
      const [stored] = await db('recipes')
        .insert({ id, ...toRow(recipe) })
        .onConflict('id')
        .ignore()
        .returning<StoredRecipe[]>(returned);
      return stored;
    },

    /**
     * Changes a recipe if it still has a version, so that no other change is overwritten unseen.
     * @returns the changed recipe; undefined if the recipe does not exist or has another version
     */
    async change(id: string, version: number, recipe: Recipe): Promise<StoredRecipe | undefined> {
      const [stored] = await db('recipes')
        .where({ id, version })
        .update({ ...toRow(recipe), version: version + 1, updated_at: db.fn.now() })
        .returning<StoredRecipe[]>(returned);
      return stored;
    },

    /**
     * Deletes a recipe if it still has a version, so that no other change is lost unseen.
     * @returns false if the recipe does not exist or has another version
     */
    async remove(id: string, version: number): Promise<boolean> {
      return (await db('recipes').where({ id, version }).delete()) === 1;
    },
  };
}

const returned = Object.entries(columns).map(([name, column]) => `${column} as ${name}`);

function toRow(recipe: Recipe): Record<string, unknown> {
  return {
    title: recipe.title,
    description: recipe.description,
    instructions: recipe.instructions,
    category: recipe.category,
    difficulty: recipe.difficulty,
    tags: recipe.tags,
    tools: recipe.tools,
    notion_page_url: recipe.notionPageUrl ?? null,
    estimated_time: recipe.estimatedTime ?? null,
    is_public: recipe.isPublic,
  };
}
