import { recipeStore } from '@dune-tide/db/recipes';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { Page } from 'playwright-core';
import { stack } from './browser-suite.ts';

/** Path of the recipes page (docs/PRODUCT.md, "Recipes page"). */
export const recipesPath = '/admin/recipes';

/** Returns the path of one recipe's page. */
export const recipePath = (id: string): string => `${recipesPath}/${id}`;

const recipesCall = '/api/admin/recipes';

/** Returns the path of the calls that change and delete one recipe. */
export const recipeCall = (id: string): string => `${recipesCall}/${id}`;

/** A recipe with a value in every field. */
export const example = {
  title: 'Kick-off with a new client',
  description: 'What to prepare for the first call.',
  instructions: '# Before\n\n1. Read the *inquiry*',
  category: 'process',
  difficulty: 'medium',
  tags: ['calls', 'clients'],
  tools: ['Notion', 'Google Meet'],
  notionPageUrl: 'https://www.notion.so/kick-off',
  estimatedTime: '2 hours',
  isPublic: false,
};

type Recipe = Json<typeof recipeResponse>;

/** Returns the recipes in the database, newest first. */
export const stored = () => recipeStore(stack().database).all();

/** Recipe calls of another staff member who works concurrently. */
export const elsewhere = (page: Page) => {
  // The server may close an idle connection at the moment at which a request reuses it.
  const maxRetries = 2;
  const addressOf = (path: string) => new URL(path, stack().siteUrl).href;
  return {
    add: async (recipe: object = {}): Promise<Recipe> =>
      (await page.request.post(addressOf(recipesCall), { data: { ...example, ...recipe }, maxRetries })).json(),
    change: async ({ id }: Pick<Recipe, 'id'>, changes: object) =>
      page.request.patch(addressOf(recipeCall(id)), { data: changes, maxRetries }),
  };
};
