import { recipeStore } from '@dune-tide/db/recipes';
import type { recipeResponse } from '@dune-tide/domain/responses/recipe';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { Page } from 'playwright-core';
import { expectAccessibleEverywhere } from './accessibility.ts';
import { endRoutes, loseResponse, routeOnce, type Visit, type VisitOptions } from './browser.ts';
import { onPage, stack } from './browser-suite.ts';
import { formOn } from './form-page.ts';
import { dialog, press, signIn, untilClosed } from './staff.ts';

/** Path of the recipes page (docs/PRODUCT.md, "Recipes page"). */
export const recipesPath = '/admin/recipes';

/** Returns the path of one recipe's page. */
export const recipePath = (id: string): string => `${recipesPath}/${id}`;

/** Path of the calls that list and add recipes. */
export const recipesCall = '/api/admin/recipes';

/** Returns the path of the calls that change and delete one recipe. */
export const recipeCall = (id: string): string => `${recipesCall}/${id}`;

/** Labels of the recipe form's fields. */
export const labels = {
  title: /^Title/,
  description: /^Description/,
  category: /^Category/,
  estimatedTime: /^Estimated time/,
  difficulty: /^Difficulty/,
  instructions: /^Instructions/,
  tags: /^Tags(?! and)/,
  tools: /^Tools/,
  notionPageUrl: /^Notion page URL/,
} as const;

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

/** Returns the full address of a path on the site. */
export const addressOf = (url: string): string => new URL(url, stack().siteUrl).href;

/** The server may close an idle connection at the moment at which a request reuses it. */
const maxRetries = 2;

/** Recipe calls of another staff member who works concurrently. */
export const elsewhere = (page: Page) => ({
  add: async (recipe: object = {}): Promise<Recipe> =>
    (await page.request.post(addressOf(recipesCall), { data: { ...example, ...recipe }, maxRetries })).json(),
  change: async ({ id }: Pick<Recipe, 'id'>, changes: object) =>
    page.request.patch(addressOf(recipeCall(id)), { data: changes, maxRetries }),
  remove: async ({ id }: Pick<Recipe, 'id'>) => page.request.delete(addressOf(recipeCall(id)), { maxRetries }),
});

/** Returns the form in the dialog. */
export const form = (page: Page) => formOn(page, 'Recipe', labels);

/** Locates the dialog's message about a failure or a change by another staff member. */
export const alert = (page: Page) => dialog(page).getByRole('alert').filter({ hasText: /\S/ });

/** Locates the rows of the list. */
export const rows = (page: Page) => page.getByRole('table', { name: 'Recipes' }).locator('tbody tr');

/** Returns the titles in the list. */
export const titles = (page: Page) => rows(page).getByRole('link').allTextContents();

/** Records the recipe calls from now on, as "GET /api/admin/recipes". */
export function listen(page: Page) {
  const sent: { call: string; body: unknown; ifMatch: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith(recipesCall)) return;
    const body: unknown = request.postDataJSON();
    sent.push({ call: `${request.method()} ${pathname}`, body, ifMatch: request.headers()['if-match'] });
  });
  return {
    sent,
    count: (call: string) => sent.filter((each) => each.call === call).length,
    last: (method: string) => sent.findLast(({ call }) => call.startsWith(method)),
  };
}

/** Checks a page wide and narrow, light and dark, and restores the window. */
export async function expectAccessibleInPassing(page: Page, state: string): Promise<void> {
  await expectAccessibleEverywhere(page, state);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Paths whose calls the current test makes fail. */
export const meant: string[] = [];

/** Makes calls with a method fail until the returned function is called. */
export async function failing(
  page: Page,
  method: string,
  status = 503,
  json: object = {},
): Promise<() => Promise<void>> {
  meant.push(recipesCall);
  await page.route(`**${recipesCall}**`, (route) =>
    route.request().method() === method ? route.fulfill({ status, json }) : route.continue(),
  );
  return () => endRoutes(page, `**${recipesCall}**`);
}

/** Makes the next call of a path fail. */
export async function failOnce(page: Page, call: string): Promise<void> {
  meant.push(call);
  await routeOnce(page, `**${call}`, (route) => route.fulfill({ status: 503, json: {} }));
}

/** Lets the next call of a path reach the server and drops the response. */
export async function loseRecipeResponse(page: Page, call: string): Promise<void> {
  meant.push(call);
  await loseResponse(page, `**${call}`);
}

/** Opens an address and waits for the recipes, the recipe or the failure. */
export async function goTo(page: Page, url = recipesPath): Promise<void> {
  await page.goto(addressOf(url));
  await page.locator('main [aria-busy="false"], main dl, main [role="alert"]').first().waitFor();
}

/** Opens the form for a new recipe. */
export async function openAdd(page: Page): Promise<void> {
  // An empty list has a second button.
  await page.locator('main').getByRole('button', { name: 'Add Recipe', exact: true }).last().click();
}

/** Discards the changes in the dialog. */
export async function giveUp(page: Page): Promise<void> {
  await press(dialog(page), 'Cancel');
  await press(dialog(page), 'Discard');
  await untilClosed(page);
}

/**
 * Wraps a test in a visit of a signed-in staff member, with no recipes at first.
 * @returns the function to pass to `it`
 */
export const signedIn = (test: (visit: Visit) => Promise<void>, options: VisitOptions = {}) =>
  onPage(
    '/robots.txt',
    async (visit) => {
      meant.length = 0;
      await stack().database('recipes').delete();
      await signIn(visit.context);
      await test(visit);
    },
    { isUntouched: true, failing: meant, ...options },
  );
