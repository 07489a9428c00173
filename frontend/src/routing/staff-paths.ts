/** The addresses of the staff area (docs/PRODUCT.md, "Pages"). */
export const staffPath = {
  /** Redirects to the first page. */
  entrance: '/admin',
  login: '/admin/login',
  dashboard: '/admin/dashboard',
  leads: '/admin/leads',
  followUps: '/admin/follow-ups',
  recipes: '/admin/recipes',
  team: '/admin/team',
} as const;

/** The prefix of all paths except the entrance. */
export const staffArea = `${staffPath.entrance}/`;

/** The page after signing in. */
export const firstStaffPath = staffPath.dashboard;

/** Returns the path of a lead. */
export const leadPath = (id: string): string => `${staffPath.leads}/${encodeURIComponent(id)}`;

/** Returns the path of the emails in a state. */
export const followUpsPath = (state: string): string => `${staffPath.followUps}?state=${state}`;

/** Returns the path of a recipe. */
export const recipePath = (id: string): string => `${staffPath.recipes}/${encodeURIComponent(id)}`;
