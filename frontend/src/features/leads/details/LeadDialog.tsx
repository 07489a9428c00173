import type { Lead } from '@dune-tide/domain/responses/lead';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { skipToken } from '@reduxjs/toolkit/query';
import IconButton from '@mui/material/IconButton';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ErrorState } from '../../../staff-ui/lists/ErrorState.tsx';
import { type Leaving, useDiscardConfirmation } from '../../../staff-ui/dialogs/use-discard-confirmation.ts';
import { Modal } from '../../../ui/Modal.tsx';
import { dialogsClosed, useBackToClose } from '../../../ui/use-back-to-close.ts';
import { useTitlePart } from '../../../ui/page-title.ts';
import { isRequestFailure } from '../../../api-client/request.ts';
import { ReplyForm } from '../reply/ReplyForm.tsx';
import { LeadDetails } from './LeadDetails.tsx';
import { useLeadKeys } from '../keys/lead-keys.ts';
import { exactTotal, type LeadList } from '../list/use-lead-list.ts';
import { ChevronDownIcon, ChevronUpIcon } from '../../../staff-ui/icons.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { useLocationState } from '../../../routing/location-state.ts';
import { leadName } from '../lead-labels.ts';
import { useRemoveMark } from '../lead-marks.ts';
import { useLeadQuery } from '../leads-api.ts';
import { useLeadAddress } from '../use-lead-address.ts';
import { sticky } from '../../../styles/layout-constants.ts';

interface LeadDialogProps {
  /** The lead's id in the URL; undefined closes the dialog. */
  readonly id: string | undefined;
  /** Returns a lead that the tables have loaded, which saves a request. */
  readonly known: (id: string) => Lead | undefined;
  /** The rows behind the dialog, whose order the buttons for the next and previous lead follow. */
  readonly list: LeadList;
  readonly onHelp: () => void;
  readonly onClose: () => void;
}

/** A lead with all its fields, or the reply to it. */
export function LeadDialog(props: LeadDialogProps) {
  const { id, known, list, onHelp, onClose } = props;
  useRemoveMark(id);
  const titleId = useId();
  const [knownId, setKnownId] = useState(id);
  // Kept while the dialog closes, so that its content does not change. Each opening starts fresh.
  const [shownId, setShownId] = useState(id);
  const [isWriting, setIsWriting] = useState(false);
  const { pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const addressOf = useLeadAddress();
  const entryState = useLocationState();
  const { isForReply = false, isOpenedFromList } = entryState;
  // An undo opens the reply, also if the lead is open.
  const [openedBy, setOpenedBy] = useState<string>();
  const isNewlyForReply = id !== undefined && isForReply && key !== openedBy;
  if (isNewlyForReply) setOpenedBy(key);
  if (id !== knownId) {
    setKnownId(id);
    if (id !== undefined) {
      setShownId(id);
      setIsWriting(false);
    }
  }
  if (isNewlyForReply) setIsWriting(true);
  // Before the dialog copies the entry, so that a reload shows the details of a reply that was sent.
  const forgetReason = useEffectEvent(() =>
    navigate({ pathname, search }, { replace: true, state: { ...entryState, isForReply: false } }),
  );
  useEffect(() => {
    if (isForReply) void forgetReason();
  }, [isForReply]);

  const leaving = useDiscardConfirmation(() => setIsWriting(false));
  const index = list.rows.findIndex((lead) => lead.id === id);
  const next = index < 0 ? undefined : list.rows[index + 1];
  const openNext = (lead: Lead) => {
    leaving.leave();
    // Replaces the entry, so that Back leads to the list from every lead.
    void dialogsClosed().then(() => navigate(addressOf(lead), { replace: true, state: { isOpenedFromList } }));
  };
  // Back from the reply shows the details again.
  useBackToClose(id !== undefined && isWriting, leaving.askToLeave);
  return (
    <Modal
      open={id !== undefined}
      onClose={isWriting ? leaving.askToLeave : onClose}
      labelledBy={titleId}
      width="lg"
      hasAddress
    >
      {id !== undefined && !isWriting && <Position id={id} list={list} onHelp={onHelp} />}
      {shownId !== undefined && (
        <Content
          key={shownId}
          id={shownId}
          known={known(shownId)}
          titleId={titleId}
          isWriting={isWriting}
          openedBy={openedBy}
          onWrite={() => setIsWriting(true)}
          leaving={leaving}
          onNext={next && (() => openNext(next))}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface ContentProps {
  readonly id: string;
  readonly known: Lead | undefined;
  readonly titleId: string;
  readonly isWriting: boolean;
  /** The history entry of the undo that opened the reply; another one starts from another draft. */
  readonly openedBy: string | undefined;
  readonly onWrite: () => void;
  /** Handles an unsaved reply. */
  readonly leaving: Leaving;
  /** Leaves the reply and opens the next lead of the list; undefined without one. */
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
}

function Content(props: ContentProps) {
  const { id, known, titleId, isWriting, openedBy, onWrite, leaving, onNext, onClose } = props;
  const { isForNote = false } = useLocationState();
  const { data, isError, error, refetch } = useLeadQuery(known === undefined ? id : skipToken);
  // After a refresh the lists may not contain the lead yet. An open reply must not be interrupted.
  const [last, setLast] = useState(known);
  if (known !== undefined && known !== last) setLast(known);
  const lead = known ?? data ?? last;
  const [hasWritten, setHasWritten] = useState(false);
  useTitlePart(lead && leadName(lead));

  if (lead && isWriting) {
    return <ReplyForm key={openedBy} lead={lead} titleId={titleId} leaving={leaving} onNext={onNext} />;
  }
  if (lead) {
    return (
      <LeadDetails
        lead={lead}
        titleId={titleId}
        isForNote={isForNote && !hasWritten}
        isReturn={hasWritten}
        onEmail={() => {
          setHasWritten(true);
          onWrite();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Box sx={{ padding: 'clamp(1.25rem, 4vw, 2rem)' }}>
      <Typography id={titleId} variant="h2" sx={{ paddingRight: 5, marginBottom: 2.5 }}>
        Lead details
      </Typography>
      {!isError && <Loading />}
      {isError && isRequestFailure(error) && error.status === 404 && <Unknown onClose={onClose} />}
      {isError && !(isRequestFailure(error) && error.status === 404) && (
        <ErrorState text="Could not load the lead." onRetry={() => void refetch()} />
      )}
    </Box>
  );
}

interface PositionProps extends Pick<LeadDialogProps, 'list' | 'onHelp'> {
  readonly id: string;
}

/** More rows are loaded when this many or fewer are left. */
const fewLeft = 10;

/** The place of the lead in the table, with buttons and keys that open its neighbours in the same dialog. */
function Position({ id, list, onHelp }: PositionProps) {
  const addressOf = useLeadAddress();
  const navigate = useNavigate();
  const { isOpenedFromList } = useLocationState();
  const bar = useRef<HTMLDivElement>(null);
  const index = list.rows.findIndex((lead) => lead.id === id);
  const total = exactTotal(list);
  const isNearEnd = index >= 0 && index + fewLeft >= list.rows.length;
  const { hasMore, loadMore } = list;
  useEffect(() => {
    if (isNearEnd && hasMore) loadMore();
  }, [isNearEnd, hasMore, loadMore]);

  // The focused element may have been part of the previous lead.
  const shown = useRef(id);
  useLayoutEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    if (document.activeElement === document.body || document.activeElement === null) bar.current?.focus();
    bar.current?.closest('.MuiDialog-paper')?.scrollTo(0, 0);
  }, [id]);

  const open = (step: 1 | -1) => {
    // The URL is ahead of the rendered lead if one press follows another quickly.
    const from = list.rows.findIndex((lead) => window.location.pathname.endsWith(`/${lead.id}`));
    const lead = from < 0 ? undefined : list.rows[from + step];
    if (!lead) return;
    // Replaces the entry, so that Back leads to the list from every lead.
    void navigate(addressOf(lead), { replace: true, state: { isOpenedFromList } });
  };
  useLeadKeys('dialog', { next: () => open(1), previous: () => open(-1), help: onHelp });

  return (
    <Box
      ref={bar}
      tabIndex={-1}
      sx={{
        display: 'flex',
        displayPrint: 'none',
        alignItems: 'center',
        gap: 0.5,
        position: sticky,
        top: 0,
        zIndex: 1,
        flexShrink: 0,
        minHeight: 56,
        marginBottom: '-16px',
        // Leaves room for the close button.
        padding: '8px 60px 4px clamp(0.75rem, 3vw, 1.5rem)',
        bgcolor: 'background.paperBand',
        outline: 0,
      }}
    >
      <IconButton
        aria-label="Previous lead"
        aria-disabled={index <= 0}
        color="inherit"
        size="small"
        onClick={() => open(-1)}
        sx={{ '&[aria-disabled="true"]': { opacity: 0.4 } }}
      >
        <ChevronUpIcon fontSize="small" />
      </IconButton>
      <IconButton
        aria-label="Next lead"
        aria-disabled={index < 0 || index + 1 >= list.rows.length}
        color="inherit"
        size="small"
        onClick={() => open(1)}
        sx={{ '&[aria-disabled="true"]': { opacity: 0.4 } }}
      >
        <ChevronDownIcon fontSize="small" />
      </IconButton>
      <Typography
        component="output"
        variant="caption"
        sx={{ marginLeft: 0.5, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}
      >
        {index >= 0 && `Lead ${formatCount(index + 1)}${total === undefined ? '' : ` of ${formatCount(total)}`}`}
      </Typography>
    </Box>
  );
}

function Loading() {
  return (
    <Box component="output" aria-label="Loading the lead" sx={{ display: 'grid', gap: 1.5 }}>
      {[40, 65, 50, 90].map((width) => (
        <Skeleton key={width} width={`${width}%`} height={28} />
      ))}
    </Box>
  );
}

function Unknown({ onClose }: { readonly onClose: () => void }) {
  return (
    <Box role="alert">
      <Typography>Lead not found. The address may be incomplete, or the lead has been deleted.</Typography>
      <Button variant="outlined" onClick={onClose} sx={{ marginTop: 2.5 }}>
        Show all leads
      </Button>
    </Box>
  );
}
