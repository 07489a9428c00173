import { brand } from '@dune-tide/domain/brand';
import { staffPath } from '../routing/staff-paths.ts';
import type { PageContent } from './pages.ts';

/** A page of the staff area, which the browser alone renders. */
export interface StaffPage extends PageContent {
  /** The first is the page's own; the others show a part of it, e.g. one lead. */
  readonly paths: readonly [string, ...string[]];
}

/** The file of the build that the server answers every path of the staff area with. */
export const staffShell = { file: 'admin.html', title: `Admin Portal – ${brand.name}` };

/** A staff page's title. @param name - of the page */
const staffTitle = (name: string): string => `${name} – ${brand.name} Admin`;

/** The one page that is for those who are not signed in. */
export const loginPage: StaffPage = {
  paths: [staffPath.login],
  load: async () => (await import('../pages/staff/LoginPage.tsx')).LoginPage,
  title: staffShell.title,
};

/** The staff's pages (specification §2, and the follow-ups), one entry each: the router and the server's answers come from here. */
export const staffPages: readonly StaffPage[] = [
  {
    paths: [staffPath.dashboard],
    load: async () => (await import('../pages/staff/DashboardPage.tsx')).DashboardPage,
    title: staffTitle('Dashboard'),
  },
  {
    paths: [staffPath.leads, `${staffPath.leads}/:id`],
    load: async () => (await import('../pages/staff/LeadsPage.tsx')).LeadsPage,
    title: staffTitle('Leads'),
  },
  {
    paths: [staffPath.followUps],
    load: async () => (await import('../pages/staff/FollowUpsPage.tsx')).FollowUpsPage,
    title: staffTitle('Follow-ups'),
  },
  {
    paths: [staffPath.recipes, `${staffPath.recipes}/:id`],
    load: async () => (await import('../pages/staff/RecipesPage.tsx')).RecipesPage,
    title: staffTitle('Recipes'),
  },
  {
    paths: [staffPath.team],
    load: async () => (await import('../pages/staff/AccountsPage.tsx')).TeamPage,
    title: staffTitle('Team'),
  },
];

/** Every path of the staff area; any other under /admin leads nowhere. */
export const staffPaths: readonly string[] = [
  staffPath.entrance,
  ...[loginPage, ...staffPages].flatMap(({ paths }) => paths),
];
