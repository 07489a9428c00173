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

/** The part of the leads that a link opens. Several values of a member are alternatives. */
export interface LeadsSearch {
  readonly tab?: string;
  readonly response?: readonly string[];
  readonly status?: readonly string[];
  /** `none` for leads without an owner. */
  readonly owner?: 'none';
  /** Leaves out leads received earlier: a date in the studio's time zone, or a time in ISO 8601. */
  readonly from?: string;
  /** Leaves out leads received after this date in the studio's time zone. */
  readonly to?: string;
}

/** Returns the path of the leads page with a part of the leads. */
export function leadsSearchPath({ tab, response = [], status = [], owner, from, to }: LeadsSearch): string {
  const search = new URLSearchParams([
    ...(tab === undefined ? [] : [['tab', tab]]),
    ...response.map((each) => ['response', each]),
    ...status.map((each) => ['status', each]),
    ...(owner === undefined ? [] : [['owner', owner]]),
    ...(from === undefined ? [] : [['from', from]]),
    ...(to === undefined ? [] : [['to', to]]),
  ]);
  return `${staffPath.leads}?${search.toString()}`;
}
