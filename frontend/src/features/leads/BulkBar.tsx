import { bulkChange } from '@dune-tide/domain/limits';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import { isRequestFailure } from '../../api-client/request.ts';
import { formatCount } from '../../format/numbers.ts';
import { ConfirmDialog } from '../../staff-ui/dialogs/ConfirmDialog.tsx';
import { focusById } from '../../staff-ui/lists/focus-by-id.ts';
import { MenuButton } from '../../staff-ui/MenuButton.tsx';
import { toasts } from '../../toasts/toasts.ts';
import { undoing } from './bulk-undo.ts';
import { useLeadSelection } from './lead-selection.ts';
import { useLeadStaff } from './lead-staff.ts';
import { statusLabel } from './lead-labels.ts';
import { type BulkChange, useChangeLeadsMutation } from './leads-api.ts';
import { ownerChoices } from './owner-choices.ts';
import { statusChoices } from './status-choices.tsx';
import type { LeadList } from './use-lead-list.ts';

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
  position: 'sticky',
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
  '@media print': { display: 'none' },
});

type Change = Omit<BulkChange, 'ids'>;

interface Made {
  readonly text: string;
  /** Empty if the change cannot be undone. */
  readonly undo: readonly BulkChange[];
}

interface BulkBarProps {
  readonly list: LeadList;
  /** Loads the rows again, as many as before. */
  readonly reload: () => Promise<unknown>;
}

/** Changes the selected leads together, and undoes a change of statuses or owners for a short time. */
export function BulkBar({ list, reload }: BulkBarProps) {
  const { leads, clear, selectAll } = useLeadSelection();
  const staff = useLeadStaff();
  const [send] = useChangeLeadsMutation();
  const [asked, setAsked] = useState<{ readonly change: Change; readonly text: string }>();
  const [made, setMade] = useState<Made>();
  const isPending = useRef(false);

  useEffect(() => {
    if (!made) return undefined;
    const timer = setTimeout(() => setMade(undefined), undoTime);
    return () => clearTimeout(timer);
  }, [made]);

  const make = async (change: Change) => {
    const { changed, unchanged, missing } = await send({ ids: leads.map(({ id }) => id), ...change }).unwrap();
    const parts = [
      `${leadsText(changed)} changed`,
      ...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged`] : []),
      ...(missing > 0 ? [`${formatCount(missing)} deleted`] : []),
    ];
    setMade({ text: parts.join(', '), undo: changed > 0 ? undoing(leads, change) : [] });
    clear();
    await reload();
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
  const apply = (change: Change, text: string) => {
    if (leads.length > askAbove) setAsked({ change, text });
    else void once(() => make(change));
  };
  const undo = ({ undo: changes }: Made) =>
    once(async () => {
      setMade(undefined);
      focusById();
      for (const change of changes) await send(change).unwrap();
      await reload();
      toasts.success('The change is undone.');
    });

  const owners = ownerChoices(staff, null);
  const total = list.total?.count ?? list.rows.length;
  // The rows are loaded page by page, as if the user scrolled.
  const [wantsAll, setWantsAll] = useState(false);
  const { rows, hasMore, loadMore, failure } = list;
  const isEnough = rows.length >= bulkChange.leads || !hasMore;
  if (wantsAll && (isEnough || failure !== undefined)) {
    setWantsAll(false);
    selectAll();
  }
  useEffect(() => {
    if (wantsAll && !isEnough) loadMore();
  }, [wantsAll, isEnough, loadMore]);

  return (
    <>
      {leads.length > 0 && (
        <Bar aria-label="Change the selected leads">
          <output>{leadsText(leads.length)} selected</output>
          <MenuButton
            name="Status"
            choices={statusChoices}
            onChoose={(status) => apply({ status }, `Status: ${statusLabel(status)}`)}
          />
          <MenuButton
            name="Owner"
            choices={owners}
            onChoose={(ownerId) =>
              apply({ ownerId }, `Owner: ${owners.find(({ value }) => value === ownerId)?.label ?? ''}`)
            }
          />
          <MenuButton
            name="Answer"
            choices={answerChoices}
            onChoose={(answered) => apply({ answered }, answered ? 'Mark as answered' : 'Not answered yet')}
          />
          <MenuButton
            name="Spam"
            choices={spamChoices}
            onChoose={(spam) => apply({ spam }, spam ? 'Mark as spam' : 'Not spam')}
          />
          {leads.length < Math.min(total, bulkChange.leads) && (
            <Button size="small" disabled={wantsAll} onClick={() => setWantsAll(true)}>
              {total > bulkChange.leads || list.total?.isMore === true
                ? `Select the first ${bulkChange.leads}`
                : `Select all ${formatCount(total)}`}
            </Button>
          )}
          <Button
            size="small"
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
        <Bar>
          <output>{made.text}</output>
          {made.undo.length > 0 && (
            <Button size="small" onClick={() => void undo(made)}>
              Undo
            </Button>
          )}
        </Bar>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={`Change ${leadsText(leads.length)}?`}
        text={asked?.text}
        confirmLabel="Change"
        pendingLabel="Changing..."
        failureText={failureText}
        onConfirm={async () => {
          if (asked) await make(asked.change);
        }}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

const failureText = 'Could not change all leads. Some may have been changed. Please refresh the list.';

const leadsText = (count: number): string => `${formatCount(count)} ${count === 1 ? 'lead' : 'leads'}`;
