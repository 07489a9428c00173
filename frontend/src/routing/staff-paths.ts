/** The addresses of the staff area (docs/PRODUCT.md, "Pages"). */
export const staffPath = {
  /** Leads on to the first page. */
  entrance: '/admin',
  login: '/admin/login',
  dashboard: '/admin/dashboard',
  leads: '/admin/leads',
  followUps: '/admin/follow-ups',
  recipes: '/admin/recipes',
  team: '/admin/team',
} as const;

/** What they all begin with but the entrance. */
export const staffArea = `${staffPath.entrance}/`;

/** Where one is after signing in. */
export const firstStaffPath = staffPath.dashboard;

/** Where a lead is read. */
export const leadPath = (id: string): string => `${staffPath.leads}/${encodeURIComponent(id)}`;

/** Where the follow-ups of a state are. */
export const followUpsPath = (state: string): string => `${staffPath.followUps}?state=${state}`;

/** Where a recipe is read. */
export const recipePath = (id: string): string => `${staffPath.recipes}/${encodeURIComponent(id)}`;
