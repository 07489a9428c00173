import { recipeStore, type StoredRecipe } from '@dune-tide/db/recipes';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Presented } from '@dune-tide/domain/responses/schema';
import type { Knex } from 'knex';
import type { Context, Router } from '../http/context.ts';
import { formReader } from '@dune-tide/platform/form-reader';
import { idOfRequest, idempotencyConflict } from '../http/requests/idempotency.ts';
import { expectedVersions } from '../http/requests/if-match.ts';
import { jsonBody } from '../http/requests/json-body.ts';
import { Problem } from '../http/errors/problem.ts';
import { resourceId } from '../http/requests/resource-id.ts';

const readRecipe = formReader(recipeForm);

/**
 * Registers the calls for recipes (docs/PRODUCT.md, "Calls").
 * @param router - the staff router, which requires a session
 */
export function recipeRoutes(router: Router, { database }: { readonly database: Knex }): void {
  const recipes = recipeStore(database);
  const body = jsonBody();

  router.get('/recipes', async (ctx) => {
    ctx.body = (await recipes.all()).map(present);
  });

  router.post('/recipes', body, async (ctx) => {
    const recipe = readRecipe(ctx.state.body);
    const stored = await recipes.add(idOfRequest(ctx), recipe);
    // After a change, the recipe no longer shows which body the key was first used with.
    if (stored.version === 1 && !isSame(recipe, stored)) throw idempotencyConflict();
    ctx.status = 201;
    ctx.set('Location', `${ctx.path.replace(/\/$/, '')}/${stored.id}`);
    answer(ctx, stored);
  });

  router.patch('/recipes/:id', body, async (ctx) => {
    const id = resourceId(ctx);
    // Repeats only if another change was stored between the two statements, and then merges this change into that one.
    for (;;) {
      const stored = await recipes.one(id);
      if (!stored) throw new Problem(404);
      requireVersion(ctx, stored.version);
      const recipe = readRecipe(withChanges(stored, ctx.state.body));
      const changed = isSame(recipe, stored) ? stored : await recipes.change(id, stored.version, recipe);
      if (changed) return answer(ctx, changed);
    }
  });

  router.delete('/recipes/:id', async (ctx) => {
    const id = resourceId(ctx);
    // Repeats only if a change was stored between the two statements.
    for (;;) {
      const stored = await recipes.one(id);
      if (!stored) throw new Problem(404);
      requireVersion(ctx, stored.version);
      if (await recipes.remove(id, stored.version)) break;
    }
    // Koa sends 204 for an empty body.
    ctx.body = null;
  });
}

function answer(ctx: Context, recipe: StoredRecipe): void {
  ctx.etag = String(recipe.version);
  ctx.body = present(recipe);
}

/**
 * Checks that If-Match, if sent, names the current version.
 * @throws {Problem} 412 if it does not
 */
function requireVersion(ctx: Context, version: number): void {
  if (expectedVersions(ctx)?.includes(version) ?? true) return;
  throw new Problem(412, { detail: 'The recipe was changed in the meantime.' });
}

/** Merges the changed fields into the stored ones. A body that is not an object is returned, for the form to reject. */
function withChanges(stored: StoredRecipe, changes: unknown): unknown {
  if (typeof changes !== 'object' || changes === null || Array.isArray(changes)) return changes;
  return { ...stored, ...changes };
}

function isSame(recipe: Readonly<Record<string, unknown>>, stored: StoredRecipe): boolean {
  const before: Readonly<Record<string, unknown>> = { ...stored };
  return Object.keys(recipeForm.properties).every(
    (field) => JSON.stringify(recipe[field] ?? null) === JSON.stringify(before[field] ?? null),
  );
}

function present(recipe: StoredRecipe): Presented<typeof recipeResponse> {
  return {
    id: recipe.id,
    title: recipe.title,
    description: recipe.description,
    instructions: recipe.instructions,
    category: recipe.category,
    difficulty: recipe.difficulty,
    tags: recipe.tags,
    tools: recipe.tools,
    notionPageUrl: recipe.notionPageUrl,
    estimatedTime: recipe.estimatedTime,
    isPublic: recipe.isPublic,
    createdAt: recipe.createdAt,
    updatedAt: recipe.updatedAt,
    version: recipe.version,
  };
}
