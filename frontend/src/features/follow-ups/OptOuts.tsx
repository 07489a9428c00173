import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, useState } from 'react';
import { itemsOf } from '../../api-client/pagination.ts';
import { formatDateTime } from '../../format/dates.ts';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { type Column, ColumnHeads } from '../../staff-ui/lists/ColumnHeads.tsx';
import { DataTable, rowsAsBlocks } from '../../staff-ui/lists/data-table.ts';
import { EmailAddress } from '../../staff-ui/lists/EmailAddress.tsx';
import { EmptyState } from '../../staff-ui/lists/EmptyState.tsx';
import { VirtualBody } from '../../staff-ui/lists/VirtualBody.tsx';
import { PagedList } from '../../staff-ui/lists/PagedList.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { useMayCall } from '../../staff-ui/roles/use-may-call.ts';
import { type OptOut, useOptOutsInfiniteQuery, useRemoveOptOutMutation } from './follow-ups-api.ts';

const Table = styled(DataTable)(({ theme }) => ({
  [theme.breakpoints.down('sm')]: rowsAsBlocks({
    display: 'grid',
    gridTemplateAreas: '"address action" "since action"',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    gap: '2px 16px',
    paddingBlock: 10,
  }),
}));

const columns: readonly Column[] = ['Address', ['Since', '11rem']];

/** The addresses whose owners asked for no automatic emails (docs/PRODUCT.md, "Opt-out"). Staff can allow them again. */
export function OptOuts() {
  const titleId = useId();
  const query = useOptOutsInfiniteQuery(undefined, { refetchOnMountOrArgChange: true });
  const [remove] = useRemoveOptOutMutation();
  const mayAllow = useMayCall('removeOptOut');
  const [isAsking, setIsAsking] = useState(false);
  // Kept while the dialog closes, so that its text does not change.
  const [chosen, setChosen] = useState<OptOut>();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isDone, setIsDone] = useState(false);
  const allow = async () => {
    if (chosen === undefined) return;
    await remove(chosen).unwrap();
    setIsDone(true);
    toasts.success(
      `${chosen.mailbox} gets automatic emails again. Its withheld emails can be retried.`,
      'Emails Allowed',
    );
  };

  const isGone = isDone && !isAsking && !itemsOf(query.data)?.some(({ id }) => id === chosen?.id);
  // The dialog would return the focus to a button that has disappeared with its row.
  useEffect(() => {
    if (isGone && document.activeElement === document.body) heading.current?.focus();
  }, [isGone]);

  return (
    <section aria-labelledby={titleId} aria-busy={query.isFetching}>
      <Typography
        id={titleId}
        ref={heading}
        tabIndex={-1}
        variant="h2"
        sx={{ marginTop: 5, marginBottom: 1, fontSize: '1.25rem', outline: 0 }}
      >
        Addresses without automatic emails
      </Typography>
      <Typography variant="body2" sx={{ marginBottom: 2, color: 'text.secondary' }}>
        The recipients pressed “I did not request this” in an email.
        {!mayAllow && ' Only an owner can allow emails to them again.'}
      </Typography>
      <PagedList
        query={query}
        failedText="The addresses could not be loaded."
        rowsToCome={1}
        empty={<EmptyState text="No address is opted out." />}
      >
        {(all) => (
          <Table aria-labelledby={titleId} aria-rowcount={-1}>
            <ColumnHeads columns={mayAllow ? [...columns, ['Actions', '8rem']] : columns} />
            <VirtualBody table="Opt-outs" items={all} minHeight={3.75}>
              {(optOut, row) => (
                <tr {...row}>
                  <Box component="th" scope="row" sx={{ gridArea: 'address', overflowWrap: 'anywhere' }}>
                    <EmailAddress text={optOut.mailbox} />
                  </Box>
                  <Box component="td" sx={{ gridArea: 'since' }}>
                    {formatDateTime(optOut.createdAt)}
                  </Box>
                  {mayAllow && (
                    <Box component="td" sx={{ gridArea: 'action' }}>
                      <Button
                        size="small"
                        variant="outlined"
                        aria-label={`Allow emails to ${optOut.mailbox}`}
                        onClick={() => {
                          setChosen(optOut);
                          setIsDone(false);
                          setIsAsking(true);
                        }}
                      >
                        Allow emails
                      </Button>
                    </Box>
                  )}
                </tr>
              )}
            </VirtualBody>
          </Table>
        )}
      </PagedList>
      <ConfirmDialog
        open={isAsking}
        title={`Allow emails to ${chosen?.mailbox ?? ''}?`}
        text="Automatic emails will be sent to this address again. Do this only if its owner asked for it."
        confirmLabel="Allow emails"
        pendingLabel="Allowing..."
        failureText="Failed to allow the emails. Please try again."
        onConfirm={allow}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
}
