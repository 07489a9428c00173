import type { Lead } from '@dune-tide/domain/responses/lead';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { BackLink } from '../../layouts/staff/BackLink.tsx';
import { focusById } from '../../staff-ui/lists/focus-by-id.ts';
import { PageFrame } from '../../layouts/staff/PageFrame.tsx';
import { RefreshButton } from '../../staff-ui/lists/RefreshButton.tsx';
import { TabLabel } from '../../staff-ui/lists/TabLabel.tsx';
import { pageId } from '../../styles/layout-constants.ts';
import { useAccountsQuery } from '../../features/accounts/accounts-api.ts';
import { useSessionQuery } from '../../features/auth/auth-api.ts';
import { ReplyDialog } from '../../features/leads/reply/ReplyDialog.tsx';
import { EmailFate } from '../../features/follow-ups/EmailFate.tsx';
import { leadTabs, tabTotal } from '../../features/leads/lead-tabs.ts';
import { KeysDialog } from '../../features/leads/keys/KeysDialog.tsx';
import { LeadDialog } from '../../features/leads/details/LeadDialog.tsx';
import { LeadPanel } from '../../features/leads/list/LeadPanel.tsx';
import { ExportButton } from '../../features/leads/list/ExportButton.tsx';
import { SaveView } from '../../features/leads/views/SaveView.tsx';
import { BulkBar } from '../../features/leads/list/BulkBar.tsx';
import { FilterBar, searchId } from '../../features/leads/list/FilterBar.tsx';
import {
  apiSearch,
  filterLabel,
  isFiltered,
  noFilter,
  readFilter,
  writeFilter,
} from '../../features/leads/lead-filter.ts';
import { HighlightWords } from '../../features/leads/Highlight.tsx';
import { LeadViews } from '../../features/leads/views/LeadViews.tsx';
import { type LeadTotal, useLeadTotalsQuery } from '../../features/leads/leads-api.ts';
import { IndexingNotice } from '../../features/leads/list/IndexingNotice.tsx';
import { NewLeads } from '../../features/leads/list/NewLeads.tsx';
import { useNewLeadCount } from '../../features/leads/list/new-leads.ts';
import { useAnnouncementQuery } from '../../features/announcements/announcements-api.ts';
import { ClearFilters } from '../../staff-ui/lists/ClearFilters.tsx';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { RecipePicker } from '../../features/recipes/RecipePicker.tsx';
import { ReplyToolsContext } from '../../features/leads/reply/reply-tools.ts';
import { ReplyNotices } from '../../features/leads/reply/ReplyNotices.tsx';
import { LeadSelectionContext, useLeadSelectionOf } from '../../features/leads/list/selection.ts';
import { LeadStaffContext } from '../../features/leads/lead-staff.ts';
import { linkIdOf } from '../../features/leads/list/LeadRow.tsx';
import type { LeadTableHandle } from '../../features/leads/list/LeadTable.tsx';
import { exactTotal, useLeadList } from '../../features/leads/list/use-lead-list.ts';
import { KeyboardIcon } from '../../staff-ui/icons.tsx';
import { formatCount } from '../../format/numbers.ts';
import { useSearchState } from '../../routing/use-search-state.ts';
import { openedFromList, useLocationState } from '../../routing/location-state.ts';
import { dialogsClosed } from '../../ui/use-back-to-close.ts';
import { useLeadAddress } from '../../features/leads/use-lead-address.ts';
import { staffPath } from '../../routing/staff-paths.ts';

const panelId = 'leads-panel';
const tabId = (tab: string) => `leads-tab-${tab}`;

interface Writing {
  readonly lead: Lead;
  /** Whether a draft notice opened the dialog. The notice has disappeared when the dialog closes. */
  readonly isBegun: boolean;
}

/** /admin/leads, and over it /admin/leads/:id (docs/PRODUCT.md, "Leads page"). */
export function LeadsPage() {
  const { search } = useLocation();
  // The list follows the URL, which changes a moment after the typing.
  const [filter, setFilter] = useSearchState(readFilter, writeFilter);
  const shown = useMemo(() => readFilter(search), [search]);
  const { list, isRefreshing, loadedAt, refresh, reload } = useLeadList(apiSearch(shown));
  const { data: totals } = useLeadTotalsQuery();
  const { tab } = shown;
  const { data: announced } = useAnnouncementQuery();
  const newLeads = useNewLeadCount(announced?.totals);
  const table = useRef<LeadTableHandle>(null);
  const { id, close } = useOpenLead(search, table);
  const navigate = useNavigate();
  const addressOf = useLeadAddress();
  const [writing, setWriting] = useState<Writing>();
  const [focusHeading, setFocusHeading] = useState<object>();
  const selection = useLeadSelectionOf(list.rows, search);
  const known = (lead: string) => list.rows.find((each) => each.id === lead);
  const staff = useStaff();
  const replyMode = staff.me?.replies ?? 'simulated';
  const replyTools = useMemo(() => ({ mode: replyMode, RecipePicker, Email: EmailFate }), [replyMode]);
  const [showsKeys, setShowsKeys] = useState(false);
  const listName = tab === 'all' ? 'All leads' : (leadTabs.find((each) => each.id === tab)?.label ?? '');
  const clear = () => setFilter({ ...noFilter, tab: filter.tab }, 0);

  const refreshFromTop = () => {
    window.scrollTo(0, 0);
    void refresh();
  };

  const written = writing && (known(writing.lead.id) ?? writing.lead);
  const afterWritten = list.rows[list.rows.findIndex((each) => each.id === written?.id) + 1];
  const openAfterWritten = (next: Lead) => {
    closeWriting();
    void dialogsClosed().then(() => navigate(addressOf(next), { state: openedFromList }));
  };

  const closeWriting = () => {
    setWriting(undefined);
    if (writing?.isBegun) setFocusHeading({});
  };

  // Runs after the dialog has returned the focus to a button that has disappeared.
  useEffect(() => {
    if (focusHeading) document.querySelector('h1')?.focus();
  }, [focusHeading]);

  return (
    <ReplyToolsContext value={replyTools}>
      <LeadStaffContext value={staff}>
        <LeadSelectionContext value={selection}>
          <PageFrame
            title="CRM & Lead Management"
            back={<BackLink to={staffPath.dashboard}>Back to Dashboard</BackLink>}
            actions={
              <>
                <RefreshButton isRefreshing={isRefreshing} loadedAt={loadedAt} onRefresh={refreshFromTop} />
                <Button
                  variant="outlined"
                  startIcon={<KeyboardIcon />}
                  onClick={() => setShowsKeys(true)}
                  // Phones have no keys.
                  sx={{ '@media (hover: none) and (max-width: 599px)': { display: 'none' } }}
                >
                  Keyboard
                </Button>
              </>
            }
          >
            <NewLeads count={newLeads} isRefreshing={isRefreshing} onShow={refreshFromTop} />
            {/* Hidden while another element's dialog is open, because its own draft changes with each keystroke. */}
            {id === undefined && (!writing || writing.isBegun) && (
              <ReplyNotices known={known} onOpen={(lead) => setWriting({ lead, isBegun: true })} />
            )}
            <Box sx={{ borderBottom: 1, borderColor: 'divider', displayPrint: 'none' }}>
              <Tabs
                value={tab}
                onChange={(_, chosen: typeof tab) => setFilter({ ...filter, tab: chosen }, 0)}
                aria-label="Kinds of leads"
                variant="scrollable"
                scrollButtons={false}
              >
                {leadTabs.map(({ id: each, label: words }) => (
                  <Tab
                    key={each}
                    value={each}
                    id={tabId(each)}
                    aria-controls={panelId}
                    label={<TabLabel label={words} total={tabTotal(each, totals)} />}
                  />
                ))}
              </Tabs>
            </Box>
            {/* The tabs are not printed. */}
            <Typography sx={{ display: 'none', displayPrint: 'block', marginBottom: 2 }}>
              {listName}
              {isFiltered(shown) && `: ${filterLabel(shown, staff)}`}
              {list.hasMore && list.total && `, the first ${formatCount(list.rows.length)} of ${totalText(list.total)}`}
            </Typography>
            {/* The content's first line overlaps the line of the tabs. */}
            <Box
              role="tabpanel"
              id={panelId}
              tabIndex={-1}
              aria-labelledby={tabId(tab)}
              sx={{ marginTop: '-1px', outline: 0 }}
            >
              <LeadViews filter={shown} timeZone={staff.me?.timeZone} />
              <FilterBar
                filter={filter}
                onChange={(changed) => setFilter(changed, 0)}
                onType={setFilter}
                count={isFiltered(shown) && list.total && leadsText(list.total)}
                actions={
                  <>
                    <SaveView filter={shown} />
                    <ExportButton
                      search={apiSearch(shown)}
                      total={exactTotal(list) ?? (isFiltered(shown) ? undefined : tabTotal(tab, totals))}
                      atLeast={exactTotal(list) ?? list.total?.count ?? 0}
                      role={staff.me?.role}
                    />
                  </>
                }
              />
              <IndexingNotice progress={announced?.indexing} />
              <HighlightWords words={shown.q}>
                <LeadPanel
                  tab={tab}
                  label={listName}
                  list={list}
                  noMatches={
                    isFiltered(shown) ? (
                      <EmptyState
                        text="No leads match."
                        hint={filterLabel(shown, staff)}
                        action={<ClearFilters size="small" variant="outlined" searchId={searchId} onClear={clear} />}
                      />
                    ) : undefined
                  }
                  order={shown.sort === 'due' ? 'the one that is due first in front' : 'newest first'}
                  onEmail={(lead) => setWriting({ lead, isBegun: false })}
                  onHelp={() => setShowsKeys(true)}
                  table={table}
                />
              </HighlightWords>
              <BulkBar search={search} list={list} reload={reload} />
            </Box>
            <LeadDialog id={id} known={known} list={list} onHelp={() => setShowsKeys(true)} onClose={close} />
            <KeysDialog open={showsKeys} onClose={() => setShowsKeys(false)} />
            <ReplyDialog
              lead={written}
              onClose={closeWriting}
              onNext={written && afterWritten && (() => openAfterWritten(afterWritten))}
            />
          </PageFrame>
        </LeadSelectionContext>
      </LeadStaffContext>
    </ReplyToolsContext>
  );
}

/** The accounts that can own a lead. */
function useStaff() {
  const { data: me } = useSessionQuery();
  const { data: accounts } = useAccountsQuery();
  return useMemo(() => ({ me, people: accounts?.filter(({ isActive }) => isActive) }), [me, accounts]);
}

const totalText = ({ count, isMore }: LeadTotal): string => `${isMore ? 'over ' : ''}${formatCount(count)}`;

/** Returns a number of leads, e.g. "Over 1,000 leads". */
function leadsText(total: LeadTotal): string {
  const text = totalText(total);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)} ${total.count === 1 ? 'lead' : 'leads'}`;
}

/** Returns the lead in the URL, and the function that goes back to the list. */
function useOpenLead(search: string, table: RefObject<LeadTableHandle | null>) {
  const { id } = useParams();
  const { key } = useLocation();
  const { isOpenedFromList } = useLocationState();
  const navigate = useNavigate();
  const closed = useRef<string>(undefined);
  const shown = useRef(id);
  const first = useRef(id);

  // Runs after the dialog has returned the focus, if an element opened it rather than a URL.
  useEffect(() => {
    const before = shown.current;
    shown.current = id;
    if (before === undefined) first.current = id;
    if (id !== undefined || before === undefined) return undefined;
    const isElsewhere = before !== first.current;
    if (!isElsewhere && document.getElementById(pageId)?.contains(document.activeElement)) return undefined;
    // The row of the last lead may be far from the one that opened the dialog. After Back, the browser restores the
    // scroll position of the list when the event of the navigation ends.
    const timer = setTimeout(() => {
      if (table.current?.focusLead(before) !== true) focusById(linkIdOf(before));
    });
    return () => clearTimeout(timer);
  }, [id, table]);

  const close = () => {
    // History navigation is asynchronous: a second Escape before it ends would go back twice.
    if (closed.current === key) return;
    closed.current = key;
    void (isOpenedFromList ? navigate(-1) : navigate({ pathname: staffPath.leads, search }, { replace: true }));
  };
  return { id, close };
}
