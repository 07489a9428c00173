import { auditActions } from '@dune-tide/domain/audit-actions';
import { auditOriginDays } from '@dune-tide/domain/limits';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { formatDateTime } from '../../format/dates.ts';
import { leadPath } from '../../routing/staff-paths.ts';
import { ColumnHeads } from '../../staff-ui/lists/ColumnHeads.tsx';
import { DataTable, rowsAsBlocks } from '../../staff-ui/lists/data-table.ts';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { VirtualBody, type VirtualRow } from '../../staff-ui/lists/VirtualBody.tsx';
import { PagedList } from '../../staff-ui/lists/PagedList.tsx';
import { MenuButton } from '../../staff-ui/MenuButton.tsx';
import type { Account } from './accounts-api.ts';
import { actorLabel, auditLabel, originLabel } from './audit-labels.ts';
import { type AuditEntry, type AuditSearch, useAuditLogInfiniteQuery } from './audit-log-api.ts';

const Table = styled(DataTable)(({ theme }) => ({
  '& td, & th[scope="row"]': { height: 48 },
  [theme.breakpoints.down('lg')]: {
    ...rowsAsBlocks({
      display: 'grid',
      gridTemplateAreas: '"action time" "actor subject" "origin origin"',
      gridTemplateColumns: '1fr auto',
      gap: '2px 16px',
      paddingBlock: 10,
    }),
    '& td': { fontSize: '0.875rem' },
  },
}));

const actionChoices = [
  { value: '', label: 'All actions' },
  ...Object.entries(auditActions).map(([value, label]) => ({ value, label })),
];

/** The audit log, filtered by person and action (docs/PRODUCT.md, "Audit log"). */
export function AuditLog({ members }: { readonly members: readonly Account[] }) {
  const titleId = useId();
  const [search, setSearch] = useState<AuditSearch>({ person: '', action: '' });
  const query = useAuditLogInfiniteQuery(search, { refetchOnMountOrArgChange: true });
  const people = [
    { value: '', label: 'Everyone' },
    ...members.map(({ id, name, username }) => ({ value: id, label: `${name}, ${username}` })),
  ];

  return (
    <section aria-labelledby={titleId} aria-busy={query.isFetching}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.25, marginTop: 5, marginBottom: 2 }}>
        <Box sx={{ flex: '1 1 16rem' }}>
          <Typography id={titleId} variant="h2">
            Audit log
          </Typography>
          <Typography variant="body2" sx={{ marginTop: 0.5, color: 'text.secondary' }}>
            Who signed in and changed what. Entries cannot be changed, and stay until their retention ends; networks and
            devices stay for {auditOriginDays} days.
          </Typography>
        </Box>
        <MenuButton
          name="Person"
          value={members.find(({ id }) => id === search.person)?.name ?? ''}
          choices={people}
          selected={search.person}
          onChoose={(person) => setSearch({ ...search, person })}
        />
        <MenuButton
          name="Action"
          value={search.action && auditLabel(search.action)}
          choices={actionChoices}
          selected={search.action}
          onChoose={(action) => setSearch({ ...search, action })}
        />
      </Box>
      <PagedList
        query={query}
        failedText="Could not load the audit log."
        rowsToCome={6}
        empty={<EmptyState text="No entries match." />}
      >
        {(all) => (
          <Table aria-labelledby={titleId} aria-rowcount={-1}>
            <ColumnHeads columns={['Action', 'By', 'Affects', ['From', '17rem'], ['Time', '11rem']]} />
            <VirtualBody table="Audit log" items={all} minHeight={3}>
              {(entry, row) => <Row row={row} entry={entry} />}
            </VirtualBody>
          </Table>
        )}
      </PagedList>
    </section>
  );
}

function Row({ row, entry }: { readonly row: VirtualRow; readonly entry: AuditEntry }) {
  const origin = originLabel(entry);
  return (
    <tr {...row}>
      <Box component="th" scope="row" sx={{ gridArea: 'action', fontWeight: '600 !important' }}>
        {auditLabel(entry.action)}
      </Box>
      <Box component="td" sx={{ gridArea: 'actor', overflowWrap: 'anywhere' }}>
        <bdi>{actorLabel(entry)}</bdi>
      </Box>
      <Box component="td" sx={{ gridArea: 'subject', overflowWrap: 'anywhere', color: 'text.secondary' }}>
        <Subject entry={entry} />
      </Box>
      <Box
        component="td"
        sx={{
          gridArea: 'origin',
          overflowWrap: 'anywhere',
          color: 'text.secondary',
          ...(origin === undefined && { display: { xs: 'none !important', lg: 'table-cell !important' } }),
        }}
      >
        {origin ?? '–'}
      </Box>
      <Box component="td" sx={{ gridArea: 'time', whiteSpace: { lg: 'nowrap' }, color: 'text.secondary' }}>
        <time dateTime={entry.createdAt}>{formatDateTime(entry.createdAt)}</time>
      </Box>
    </tr>
  );
}

function Subject({ entry: { action, actorName, subjectId, subjectName } }: { readonly entry: AuditEntry }) {
  // The column of the actor already names an account that changed itself.
  if (subjectName === actorName && subjectName !== null) return '–';
  if (subjectName !== null) return <bdi>{subjectName}</bdi>;
  if (subjectId === null || !/^(lead|follow_up)_/.test(action)) return '–';
  return (
    <Link component={RouterLink} to={leadPath(subjectId)}>
      Lead
    </Link>
  );
}
