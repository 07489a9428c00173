import { brand } from '@dune-tide/domain/brand';
import { staffPath } from '../routing/staff-paths.ts';
import { mailShape } from '../staff-ui/mail-shape.ts';
import type { PageContent } from './pages.ts';

/** A staff page. Only the browser renders it. */
export interface StaffPage extends PageContent {
  /** The first is the page's own path; the others show a part of it, e.g. one lead. */
  readonly paths: readonly [string, ...string[]];
}

/** The file of the build that the server responds with for every path of the staff area. */
export const staffShell = { file: 'admin.html', title: `Admin Portal – ${brand.name}` };

/** The only staff page for users who are not signed in. */
export const loginPage: StaffPage = {
  paths: [staffPath.login],
  load: async () => (await import('../pages/staff/LoginPage.tsx')).LoginPage,
  title: staffShell.title,
};

/** A page in the navigation. `name` is its label there and part of its title; `icon` is an SVG path. */
interface NavigationPage extends StaffPage {
  readonly name: string;
  readonly icon: string;
}

const staffPage = (page: Omit<NavigationPage, 'title'>): NavigationPage => ({
  ...page,
  title: `${page.name} – ${brand.name} Admin`,
});

/**
 * The staff pages, in the order of the navigation. The router, the navigation and the server's list of paths are
 * derived from this list.
 */
export const staffPages: readonly NavigationPage[] = [
  staffPage({
    paths: [staffPath.dashboard],
    load: async () => (await import('../pages/staff/DashboardPage.tsx')).DashboardPage,
    name: 'Dashboard',
    icon: 'M4 4h7v9H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 15h7v5H4z',
  }),
  staffPage({
    paths: [staffPath.leads, `${staffPath.leads}/:id`],
    load: async () => (await import('../pages/staff/LeadsPage.tsx')).LeadsPage,
    name: 'Leads',
    icon: 'M4 13 6.500 5h11L20 13v6H4zm0 0h5l1.500 2.500h3L15 13h5',
  }),
  staffPage({
    paths: [staffPath.followUps],
    load: async () => (await import('../pages/staff/FollowUpsPage.tsx')).FollowUpsPage,
    name: 'Automatic emails',
    icon: mailShape,
  }),
  staffPage({
    paths: [staffPath.recipes, `${staffPath.recipes}/:id`],
    load: async () => (await import('../pages/staff/RecipesPage.tsx')).RecipesPage,
    name: 'Recipes',
    icon: 'M5 4.500h10.500A3.500 3.500 0 0 1 19 8v12H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8.500h6',
  }),
  staffPage({
    paths: [staffPath.people],
    load: async () => (await import('../pages/staff/PeoplePage.tsx')).PeoplePage,
    name: 'Personal data',
    icon: 'M12 3.500 5 6v5.500c0 4.300 2.900 7.600 7 9 4.100-1.400 7-4.700 7-9V6zM9.500 12l2 2 3.500-4',
  }),
  staffPage({
    paths: [staffPath.team],
    load: async () => (await import('../pages/staff/AccountsPage.tsx')).AccountsPage,
    name: 'Team',
    icon: 'M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM3 20c0-3.300 2.700-5.500 6-5.500s6 2.200 6 5.500M16 4.800a3.500 3.500 0 0 1 0 6.400M17.500 14.900c2.100.700 3.500 2.600 3.500 5.100',
  }),
];

/** The page of the signed-in account, which the frame links below the navigation. */
export const accountPage: StaffPage = {
  paths: [staffPath.account],
  load: async () => (await import('../pages/staff/OwnAccountPage.tsx')).OwnAccountPage,
  title: `Your account – ${brand.name} Admin`,
};

/** Every path of the staff area. Any other path under /admin is unknown. */
export const staffPaths: readonly string[] = [loginPage, ...staffPages, accountPage].flatMap(({ paths }) => paths);
