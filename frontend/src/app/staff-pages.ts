import { brand } from '@dune-tide/domain/brand';
import type { PageContent } from './pages.ts';

/** A page of the staff area, which the browser alone renders. */
export interface StaffPage extends PageContent {
  /** The first is the page's own; the others show a part of it, e.g. one lead. */
  readonly paths: readonly [string, ...string[]];
}

const titled = (name: string): string => `${name} – ${brand.name} Admin`;

/** The file of the build that the server answers every path of the staff area with. */
export const staffShell = { file: 'admin.html', title: `Admin Portal – ${brand.name}` };

/** Leads on to the first page. */
export const staffEntrance = '/admin';
export const firstStaffPath = '/admin/dashboard';

/** The one page that is for those who are not signed in. */
export const loginPage: StaffPage = {
  paths: ['/admin/login'],
  load: async () => (await import('../pages/admin/LoginPage.tsx')).LoginPage,
  title: staffShell.title,
};

/** The staff's pages (specification §2, and the follow-ups), one entry each: the router and the server's answers come from here. */
export const staffPages: readonly StaffPage[] = [
  {
    paths: [firstStaffPath],
    load: async () => (await import('../pages/admin/DashboardPage.tsx')).DashboardPage,
    title: titled('Dashboard'),
  },
  {
    paths: ['/admin/leads', '/admin/leads/:id'],
    load: async () => (await import('../pages/admin/LeadsPage.tsx')).LeadsPage,
    title: titled('Leads'),
  },
  {
    paths: ['/admin/follow-ups'],
    load: async () => (await import('../pages/admin/FollowUpsPage.tsx')).FollowUpsPage,
    title: titled('Follow-ups'),
  },
  {
    paths: ['/admin/recipes', '/admin/recipes/:id'],
    load: async () => (await import('../pages/admin/RecipesPage.tsx')).RecipesPage,
    title: titled('Recipes'),
  },
  {
    paths: ['/admin/team'],
    load: async () => (await import('../pages/admin/TeamPage.tsx')).TeamPage,
    title: titled('Team'),
  },
];

/** Every path of the staff area; any other under /admin leads nowhere. */
export const staffPaths: readonly string[] = [
  staffEntrance,
  ...[loginPage, ...staffPages].flatMap(({ paths }) => paths),
];
