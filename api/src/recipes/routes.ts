import { audited } from '@dune-tide/db/audit-log';
import { recipeStore, type StoredRecipe } from '@dune-tide/db/recipes';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { recipeResponse } from '@dune-tide/domain/responses/recipe';
import { array, string } from '@dune-tide/domain/responses/schema';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { formReader } from '@dune-tide/platform/form-reader';
import { entryOf } from '../auth/audit.ts';
import type { Context } from '../http/context.ts';
import { Problem } from '../http/errors/problem.ts';
import { idempotencyConflict, idempotencyKey, idOfRequest } from '../http/requests/idempotency.ts';
import { expectedVersions, ifMatch, versionHeader } from '../http/requests/if-match.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';

const readRecipe = formReader(recipeForm);
const recipeChangeForm = { ...recipeForm, $id: 'recipe-change', description: 'A change to a recipe', required: [] };

/** Declares the calls for recipes (docs/PRODUCT.md, "Recipes page"). */
export function recipeRoutes({ database }: Pick<Services, 'database'>): Route[] {
  const recipes = recipeStore(database);
  return [
    route(staffCalls.recipes, {
      summary: 'Lists all recipes, newest first',
      responses: { 200: { description: 'Every recipe.', schema: array(recipeResponse) } },
      async handle(ctx) {
        ctx.body = await recipes.all();
      },
    }),
    route(staffCalls.addRecipe, {
      summary: 'Stores a new recipe',
      headers: idempotencyKey,
      body: { schemas: [recipeForm], read: readRecipe },
      responses: {
        201: {
          description: 'The recipe as stored.',
          schema: recipeResponse,
          headers: {
            ...versionHeader,
            Location: { description: 'The path to change or delete the recipe.', schema: string },
          },
        },
      },
      async handle(ctx, { body: recipe }) {
        const id = idOfRequest(ctx);
        const add = () =>
          audited(
            database,
            (transaction) => recipeStore(transaction).add(id, recipe),
            (added) => added && entryOf(ctx, staffCalls.addRecipe, { subjectId: id }),
          );
        let stored: StoredRecipe | undefined;
        // Repeats only if the recipe of an earlier attempt was deleted between the two statements.
        while (!stored) stored = (await add()) ?? (await recipes.one(id));
        // After a change, the recipe no longer shows which body the key was first used with.
        if (stored.version === 1 && !isSame(recipe, stored)) throw idempotencyConflict();
        ctx.status = 201;
        ctx.set('Location', `${ctx.path.replace(/\/$/, '')}/${stored.id}`);
        send(ctx, stored);
      },
    }),
    route(staffCalls.changeRecipe, {
      summary: 'Changes a recipe',
      description: 'A field that is left out is not changed.',
      headers: ifMatch,
      // Validated together with the stored fields.
      body: { schemas: [recipeChangeForm], read: (changes) => changes },
      responses: {
        200: { description: 'The recipe after the change.', schema: recipeResponse, headers: versionHeader },
      },
      problems: [404, 412],
      async handle(ctx, { params: { id }, body: changes }) {
        // Repeats only if another change was stored between the two statements, and then merges this change into that
        // one.
        for (;;) {
          const stored = await recipes.one(id);
          if (!stored) throw new Problem(404);
          requireVersion(ctx, stored.version);
          const recipe = readRecipe(withChanges(stored, changes));
          if (isSame(recipe, stored)) return send(ctx, stored);
          const changed = await audited(
            database,
            (transaction) => recipeStore(transaction).change(id, stored.version, recipe),
            (done) => done && entryOf(ctx, staffCalls.changeRecipe, { subjectId: id }),
          );
          if (changed) return send(ctx, changed);
        }
      },
    }),
    route(staffCalls.deleteRecipe, {
      summary: 'Deletes a recipe',
      headers: ifMatch,
      responses: { 204: { description: 'The recipe is deleted.' } },
      problems: [404, 412],
      async handle(ctx, { params: { id } }) {
        // Repeats only if a change was stored between the two statements.
        for (;;) {
          const stored = await recipes.one(id);
          if (!stored) throw new Problem(404);
          requireVersion(ctx, stored.version);
          const isRemoved = await audited(
            database,
            (transaction) => recipeStore(transaction).remove(id, stored.version),
            (removed) => removed && entryOf(ctx, staffCalls.deleteRecipe, { subjectId: id }),
          );
          if (isRemoved) break;
        }
        // Koa sends 204 for an empty body.
        ctx.body = null;
      },
    }),
  ];
}

function send(ctx: Context, recipe: StoredRecipe): void {
  ctx.etag = String(recipe.version);
  ctx.body = recipe;
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
