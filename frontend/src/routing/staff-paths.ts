/** The addresses of the staff area (docs/PRODUCT.md, "Pages"). */
export const staffPath = {
  login: '/admin/login',
  dashboard: '/admin/dashboard',
  leads: '/admin/leads',
  followUps: '/admin/follow-ups',
  recipes: '/admin/recipes',
  people: '/admin/people',
  team: '/admin/team',
  account: '/admin/account',
} as const;

/** The prefix of all paths. */
export const staffArea = '/admin/';

/** The page after signing in. */
export const firstStaffPath = staffPath.dashboard;

/** Returns the path of a lead. */
export const leadPath = (id: string): string => `${staffPath.leads}/${encodeURIComponent(id)}`;

/** Returns the path of the emails in a state. */
export const followUpsPath = (state: string): string => `${staffPath.followUps}?state=${state}`;

/** Returns the path of the page that shows the personal data of an address. */
export const personPath = (email: string): string => `${staffPath.people}?email=${encodeURIComponent(email)}`;

/** Returns the path of a recipe. */
export const recipePath = (id: string): string => `${staffPath.recipes}/${encodeURIComponent(id)}`;

/** The part of the leads that a link opens; an empty text allows all. Several values of a member are alternatives. */
export interface LeadsSearch {
  readonly tab?: string;
  /** The words that they have. */
  readonly q?: string;
  readonly response?: readonly string[];
  readonly status?: readonly string[];
  /** `me`, `none` for leads without an owner, or the id of an account. */
  readonly owner?: string;
  /** The first and the last day on which they were received, in the studio's time zone. */
  readonly from?: string;
  readonly to?: string;
  /** `with` those that are held as spam, or `only` them. */
  readonly spam?: string;
  /** `me`: those that are marked for the user. */
  readonly marked?: string;
  /** `due`: those that need an answer, by the time when it is due. */
  readonly sort?: string;
}

const searchNames = ['tab', 'q', 'response', 'status', 'owner', 'from', 'to', 'spam', 'marked', 'sort'] as const;

/** Returns the query string of the leads page for a part of the leads; empty for all. */
export function leadsSearch(part: LeadsSearch): string {
  const params = new URLSearchParams();
  for (const name of searchNames) {
    for (const value of [part[name] ?? []].flat()) if (value !== '') params.append(name, value);
  }
  const search = params.toString();
  return search === '' ? '' : `?${search}`;
}

/** Returns the path of the leads page with a part of the leads. */
export const leadsSearchPath = (part: LeadsSearch): string => staffPath.leads + leadsSearch(part);
