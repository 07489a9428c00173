export { recipeStore, type StoredRecipe } from './store.ts';
