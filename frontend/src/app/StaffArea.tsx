import GlobalStyles from '@mui/material/GlobalStyles';
import { ThemeProvider } from '@mui/material/styles';
import { useEffect, useMemo } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { AdminLayout } from '../layouts/staff/AdminLayout.tsx';
import { RoleContext } from '../staff-ui/roles/use-may-call.ts';
import { ErrorState } from '../staff-ui/lists/ErrorState.tsx';
import { PageFrame } from '../layouts/staff/PageFrame.tsx';
import { PageSkeleton } from '../layouts/staff/PageSkeleton.tsx';
import { icon } from '../ui/icons.tsx';
import { LoadBoundary } from '../ui/LoadBoundary.tsx';
import { StoreProvider } from '../store/StoreProvider.tsx';
import type { NavigationCount, NavigationEntry } from '../layouts/staff/AdminNavigation.tsx';
import { formatCount } from '../format/numbers.ts';
import { TitlePrefixContext } from '../ui/page-title.ts';
import { staffPath } from '../routing/staff-paths.ts';
import { LeadMarksContext } from '../features/leads/lead-marks.ts';
import { ReplyUndo } from '../features/leads/reply/ReplyUndo.tsx';
import { useNewLeadCount } from '../features/leads/list/new-leads.ts';
import { PasswordPrompt } from '../features/accounts/PasswordPrompt.tsx';
import { type Announced, useAnnouncementQuery } from '../features/announcements/announcements-api.ts';
import { useGuard } from '../features/auth/use-guard.ts';
import { useLogout } from '../features/auth/use-logout.ts';
import { sessionHasEnded, signedOut } from '../routing/location-state.ts';
import { loadPage } from './page-view.tsx';
import { loginPage, staffPages, staffShell } from './staff-pages.ts';
import { staffPrint } from './staff-print.ts';
import { staffTheme } from './staff-theme.ts';

const navigation: readonly NavigationEntry[] = staffPages.map((page) => ({
  path: page.paths[0],
  label: page.name,
  Icon: icon(page.icon),
}));

const staffPrintStyles = <GlobalStyles styles={staffPrint} />;

/** The frame of all staff pages: the store and the denser theme. */
export function StaffArea() {
  return (
    <StoreProvider>
      <ThemeProvider theme={staffTheme}>
        {staffPrintStyles}
        <Outlet />
      </ThemeProvider>
    </StoreProvider>
  );
}

/** The frame of the pages that require a session: the guard, the navigation and the account. */
export function StaffLayout() {
  const guard = useGuard();
  const logout = useLogout();
  const { pathname } = useLocation();

  const { data: announced } = useAnnouncementQuery(undefined, { skip: guard.state !== 'open' });
  const newLeads = useNewLeadCount(announced?.totals, announced?.firstTotals);
  const markedIds = announced?.marked?.leadIds;
  const marks = useMemo(() => markedIds && new Set(markedIds), [markedIds]);

  // Preloads the sign-in page, so that Logout can show it even without a connection. If this fails, opening the page
  // loads it again.
  useEffect(() => void loadPage(loginPage).catch(() => undefined), []);

  if (guard.state === 'closed') {
    const state = { ended: sessionHasEnded, signed_out: signedOut, unfinished: undefined }[guard.reason];
    return <Navigate to={guard.loginAddress} replace state={state} />;
  }
  return (
    <AdminLayout
      navigation={withCounts(announced)}
      signedIn={guard.state === 'open' ? guard.signedIn : undefined}
      onLogout={logout}
    >
      {guard.state !== 'open' && <title>{staffShell.title}</title>}
      {guard.state === 'pending' && <PageSkeleton />}
      {guard.state === 'failed' && (
        <PageFrame title="Admin Portal">
          <ErrorState text="We could not check who is signed in." onRetry={guard.retry} />
        </PageFrame>
      )}
      {guard.state === 'open' && (
        <RoleContext value={guard.signedIn.role}>
          <TitlePrefixContext value={newLeads === 0 ? '' : `(${formatCount(newLeads)}) `}>
            <ReplyUndo />
            <PasswordPrompt />
            <LoadBoundary isOfPage subject={pathname}>
              <LeadMarksContext value={marks}>
                <Outlet />
              </LeadMarksContext>
            </LoadBoundary>
          </TitlePrefixContext>
        </RoleContext>
      )}
    </AdminLayout>
  );
}

/** Adds the numbers of leads and failed emails to the navigation (docs/PRODUCT.md, "Announcements"). */
function withCounts(announced: Announced | null | undefined): readonly NavigationEntry[] {
  if (!announced) return navigation;
  const { overdue, soon, waiting } = announced.needsAnswer;
  const counts: Readonly<Record<string, NavigationCount>> = {
    [staffPath.leads]: { count: overdue + soon + waiting, meaning: 'need an answer' },
    [staffPath.followUps]: { count: announced.failedEmails, meaning: 'failed', isFailure: true },
  };
  const marked = { count: announced.marked?.total ?? 0, meaning: 'for you' };
  return navigation.map((entry) => ({
    ...entry,
    waiting: counts[entry.path],
    ...(entry.path === staffPath.leads && { marked }),
  }));
}
