import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode, Ref } from 'react';
import { EmptyState } from '../../../staff-ui/lists/EmptyState.tsx';
import { ErrorState } from '../../../staff-ui/lists/ErrorState.tsx';
import { SkeletonRows } from '../../../staff-ui/lists/SkeletonRows.tsx';
import { formatCount } from '../../../format/numbers.ts';
import type { ListedLead } from '../lead.ts';
import type { LeadTab } from '../lead-tabs.ts';
import { leadTables } from './columns.tsx';
import { LeadTable, type LeadTableHandle } from './LeadTable.tsx';
import { exactTotal, type LeadList } from './use-lead-list.ts';

const emptyStates: Readonly<Record<LeadTab, { readonly text: string; readonly hint: string }>> = {
  all: {
    text: 'No leads yet.',
    hint: 'Messages, inquiries and applications that visitors send on the website are listed here, the newest first.',
  },
  contact: {
    text: 'No contact submissions yet.',
    hint: 'They come from the contact form at the end of the home page.',
  },
  service_inquiry: {
    text: 'No service inquiries yet.',
    hint: 'They come from the service pages, the project inquiry and the KingRose discovery form.',
  },
  career_application: {
    text: 'No career applications yet.',
    hint: 'They come from the application form of the careers page.',
  },
};

interface LeadPanelProps {
  readonly tab: LeadTab;
  readonly label: string;
  readonly list: LeadList;
  /** Shown if no lead matches the filter; undefined without one. */
  readonly noMatches: ReactNode;
  readonly order: string;
  readonly onEmail: (lead: ListedLead) => void;
  /** Shows the keys. */
  readonly onHelp: () => void;
  readonly table?: Ref<LeadTableHandle>;
}

/** The content of a tab: its table and its loading state. */
export function LeadPanel({ tab, label, list, noMatches, order, onEmail, onHelp, table }: LeadPanelProps) {
  const { rows, isOutdated, hasMore, isFetching, failure, loadMore, retry } = list;

  if (rows.length === 0 && failure !== undefined)
    return <ErrorState text="Could not load the leads." onRetry={retry} />;
  if (rows.length === 0 && hasMore) return <Loading rows={9} />;
  if (rows.length === 0) return noMatches ?? <EmptyState {...emptyStates[tab]} />;
  return (
    <>
      {failure === 'refresh' && (
        <Box sx={{ marginBottom: 3 }}>
          <ErrorState text="Could not refresh the leads. They may be out of date." onRetry={retry} />
        </Box>
      )}
      {/* The delay keeps the rows still while a search is fast. */}
      <Box sx={{ transition: 'opacity 100ms', ...(isOutdated && { opacity: 0.4, transitionDelay: '250ms' }) }}>
        <LeadTable
          key={tab}
          ref={table}
          label={label}
          layout={leadTables[tab]}
          rows={rows}
          total={exactTotal(list)}
          isBusy={isFetching}
          onNearEnd={loadMore}
          onEmail={onEmail}
          onHelp={onHelp}
        />
      </Box>
      {failure === 'next' && <ErrorState text="Could not load older leads." onRetry={retry} />}
      {failure === undefined && hasMore && <Loading rows={3} />}
      {!hasMore && (
        <Typography variant="caption" component="p" sx={{ marginTop: 2, color: 'text.secondary' }}>
          {rows.length === 1 ? 'One lead.' : `All ${formatCount(rows.length)} leads, ${order}.`}
        </Typography>
      )}
    </>
  );
}

function Loading({ rows }: { readonly rows: number }) {
  return (
    <Box component="output" aria-label="Loading leads" sx={{ display: 'block' }}>
      <SkeletonRows count={rows} />
    </Box>
  );
}
