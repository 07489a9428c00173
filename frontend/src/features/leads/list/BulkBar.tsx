import { bulkChange } from '@dune-tide/domain/limits';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { submissionKey } from '../../../form/idempotency-key.ts';
import { isRequestFailure } from '../../../api-client/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { ConfirmDialog } from '../../../staff-ui/dialogs/ConfirmDialog.tsx';
import { focusById, leaveFocus } from '../../../staff-ui/lists/focus-by-id.ts';
import { MenuButton } from '../../../staff-ui/MenuButton.tsx';
import { toasts } from '../../../toasts/toasts.ts';
import { bulkQuestion } from './bulk-question.ts';
import { useLeadSelection } from './selection.ts';
import { useLeadStaff } from '../lead-staff.ts';
import { type BulkChange, type BulkUndo, useChangeLeadsMutation } from '../leads-api.ts';
import { ownerChoices } from '../work/owner-choices.ts';
import { statusChoices } from '../work/status-choices.tsx';
import type { LeadList } from './use-lead-list.ts';
import { sticky } from '../../../styles/layout-constants.ts';

/** A change of more leads than this is made only after a confirmation. */
const askAbove = 20;

/** The time for which a change can be undone, in milliseconds. */
const undoTime = 10_000;

const answerChoices = [
  { value: true, label: 'Mark as answered' },
  { value: false, label: 'Not answered yet' },
] as const;
const spamChoices = [
  { value: true, label: 'Mark as spam' },
  { value: false, label: 'Not spam' },
] as const;

const Bar = styled('section')({
  position: sticky,
  bottom: 12,
  zIndex: 3,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '8px',
  marginTop: 12,
  padding: '8px 12px',
  border: '1px solid var(--dt-palette-secondary-main)',
  borderRadius: 8,
  background: 'var(--dt-palette-background-paper)',
  boxShadow: '0 6px 24px rgba(8, 15, 21, 0.22)',
  fontSize: '0.875rem',
  fontVariantNumeric: 'tabular-nums',
  '& output': { marginRight: 4, fontWeight: 600 },
  '@media print': { display: 'none' },
});

type Change = Omit<BulkChange, 'ids'>;

/** A change that was made. */
interface Made {
  readonly text: string;
  /** The number of leads that it has changed. */
  readonly changed: number;
  /** Undefined if it cannot be undone. */
  readonly undo: BulkUndo | undefined;
}

interface BulkBarProps {
  /** Identifies the list; another one starts without a selection. */
  readonly search: string;
  readonly list: LeadList;
  /** Loads the rows again, as many as before. */
  readonly reload: () => Promise<unknown>;
}

/** Changes the selected leads together, and undoes a change of statuses or owners for a short time. */
export function BulkBar({ search, list, reload }: BulkBarProps) {
  const { leads, clear, selectAll } = useLeadSelection();
  const staff = useLeadStaff();
  const [sendChange] = useChangeLeadsMutation();
  const [asked, setAsked] = useState<Change>();
  const [made, setMade] = useState<Made>();
  const isPending = useRef(false);
  const [keys] = useState(submissionKey);

  useEffect(() => {
    if (!made) return undefined;
    const timer = setTimeout(() => setMade(undefined), undoTime);
    return () => clearTimeout(timer);
  }, [made]);

  /** A retry of the same change, which may have been made although its response was lost, has the same key. */
  const keyOf = (change: BulkChange | BulkUndo) => keys.forContent(JSON.stringify(change));
  const send = (change: BulkChange | BulkUndo) => sendChange({ change, idempotencyKey: keyOf(change) }).unwrap();

  const make = async (wanted: Change) => {
    const change = { ids: leads.map(({ id }) => id), ...wanted };
    const { changed, unchanged, missing } = await send(change);
    const parts = [
      `${leadsText(changed)} changed`,
      ...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged`] : []),
      ...(missing > 0 ? [`${formatCount(missing)} deleted`] : []),
    ];
    const canBeUndone = changed > 0 && (wanted.status !== undefined || wanted.ownerId !== undefined);
    const undo = canBeUndone ? { ids: change.ids, undoes: keyOf(change) } : undefined;
    setMade({ text: parts.join(', '), changed, undo });
    keys.settled();
    clear();
    // Not awaited, so that the change can be undone before the rows are loaded.
    void reload();
  };

  /** Ignores further presses while a change is pending. */
  const once = async (act: () => Promise<void>) => {
    if (isPending.current) return;
    isPending.current = true;
    try {
      await act();
    } catch (error) {
      if (!isRequestFailure(error)) throw error;
      toasts.error(failureText);
    } finally {
      isPending.current = false;
    }
  };
  const apply = (change: Change) => {
    if (leads.length > askAbove) setAsked(change);
    else void once(() => make(change));
  };
  const undo = (change: BulkUndo, ofLeads: number) =>
    once(async () => {
      const kept = ofLeads - (await send(change)).changed;
      keys.settled();
      setMade(undefined);
      focusById();
      void reload();
      toasts.success(
        kept === 0
          ? 'The change is undone.'
          : `The change is undone, except for ${leadsText(kept)} that the team has changed since.`,
      );
    });

  const undoable = made?.undo;
  const owners = ownerChoices(staff, null);
  const total = list.total?.count ?? list.rows.length;
  // The rows are loaded page by page, as if the user scrolled.
  const [wantsAllOf, setWantsAllOf] = useState<string>();
  const wantsAll = wantsAllOf === search;
  if (wantsAllOf !== undefined && !wantsAll) setWantsAllOf(undefined);
  const { rows, hasMore, loadMore, failure } = list;
  const isEnough = rows.length >= bulkChange.leads || !hasMore;
  if (wantsAll && (isEnough || failure !== undefined)) {
    setWantsAllOf(undefined);
    selectAll();
  }
  useEffect(() => {
    if (wantsAll && !isEnough) loadMore();
  }, [wantsAll, isEnough, loadMore]);

  return (
    <>
      {leads.length > 0 && (
        <Bar data-selection-bar ref={leaveFocus} aria-label="Change the selected leads">
          <output>{leadsText(leads.length)} selected</output>
          <MenuButton name="Status" choices={statusChoices} onChoose={(status) => apply({ status })} />
          <MenuButton name="Owner" choices={owners} onChoose={(ownerId) => apply({ ownerId })} />
          <MenuButton name="Answer" choices={answerChoices} onChoose={(answered) => apply({ answered })} />
          <MenuButton name="Spam" choices={spamChoices} onChoose={(spam) => apply({ spam })} />
          {leads.length < Math.min(total, bulkChange.leads) && (
            <Button size="small" disabled={wantsAll} onClick={() => setWantsAllOf(search)}>
              {total > bulkChange.leads || list.total?.isMore === true
                ? `Select the first ${bulkChange.leads}`
                : `Select all ${formatCount(total)}`}
            </Button>
          )}
          <Button
            size="small"
            sx={{ marginLeft: 'auto' }}
            onClick={() => {
              clear();
              focusById();
            }}
          >
            Clear selection
          </Button>
        </Bar>
      )}
      {made && leads.length === 0 && (
        <Bar data-selection-bar ref={leaveFocus} aria-label="The last change">
          <output>{made.text}</output>
          {undoable && (
            <Button size="small" variant="outlined" onClick={() => void undo(undoable, made.changed)}>
              Undo
            </Button>
          )}
        </Bar>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={`Change ${leadsText(leads.length)}?`}
        text={asked && bulkQuestion(leads, asked, staff)}
        confirmLabel="Change"
        pendingLabel="Changing..."
        failureText={failureText}
        onConfirm={async () => {
          if (asked) await make(asked);
        }}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

const failureText = 'Could not change all leads. Please try again.';

const leadsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`;
