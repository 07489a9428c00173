import type { Lead } from '@dune-tide/domain/responses/lead';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useRef, useState } from 'react';
import { ChoiceMenu } from '../../../staff-ui/ChoiceMenu.tsx';
import { ChevronDownIcon } from '../../../staff-ui/icons.tsx';
import { useNow } from '../../../staff-ui/time/use-now.ts';
import { formatDateTime } from '../../../format/dates.ts';
import { DueTime } from '../DueTime.tsx';
import { responseAt } from '../lead-clock.ts';
import { useLeadKeys } from '../keys/lead-keys.ts';
import { leadStatus } from '../lead-labels.ts';
import { LeadConflictNotice } from '../work/LeadConflictNotice.tsx';
import { LeadStatusChip } from '../work/LeadStatusChip.tsx';
import { useLeadStaff } from '../lead-staff.ts';
import type { LeadChange } from '../leads-api.ts';
import { ownerChoices } from '../work/owner-choices.ts';
import { StatusButton } from '../work/StatusButton.tsx';
import { statusChoices } from '../work/status-choices.tsx';
import { useLeadChange } from '../work/use-lead-change.ts';

const Rows = styled('dl')({
  display: 'grid',
  gridTemplateColumns: '4.5rem minmax(0, 1fr)',
  alignItems: 'center',
  fontSize: '0.9375rem',
  '& dt': { color: 'var(--dt-palette-text-secondary)', fontSize: '0.8125rem' },
  '& dd': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.375rem 0.75rem',
    minHeight: '2.75rem',
    overflowWrap: 'anywhere',
  },
  '& time': { fontSize: '0.875rem' },
});

/** The status, the owner and the clock of a lead, each of which staff can change (docs/PRODUCT.md, "Work on leads"). */
export function LeadWork({ lead }: { readonly lead: Lead }) {
  const staff = useLeadStaff();
  const { change, conflict, keepTheirs, overwrite } = useLeadChange();
  const [menu, setMenu] = useState<{ readonly kind: 'status' | 'owner'; readonly anchor: HTMLElement }>();
  const statusButton = useRef<HTMLButtonElement>(null);
  const ownerButton = useRef<HTMLButtonElement>(null);
  const hasStatus = lead.status !== null;
  const isMine = staff.me !== undefined && lead.owner?.id === staff.me.id;

  const send = (wanted: LeadChange) => void change(lead, wanted);
  const assignToMe = () => {
    if (staff.me && !isMine) send({ ownerId: staff.me.id });
  };
  const open = (kind: 'status' | 'owner', anchor: HTMLElement | null) => anchor && setMenu({ kind, anchor });
  useLeadKeys('dialog', {
    ...(hasStatus && { status: () => open('status', statusButton.current) }),
    assign: () => open('owner', ownerButton.current),
    assignToMe,
  });

  return (
    <section aria-label="Work on this lead">
      {conflict && (
        <LeadConflictNotice
          key={conflict.theirs.version}
          conflict={conflict}
          onKeep={() => {
            keepTheirs();
            (statusButton.current ?? ownerButton.current)?.focus();
          }}
          onOverwrite={() => {
            void overwrite();
            (statusButton.current ?? ownerButton.current)?.focus();
          }}
        />
      )}
      <Rows>
        <dt>Status</dt>
        <dd>
          {hasStatus ? (
            <StatusButton lead={lead} ref={statusButton} onOpen={(anchor) => open('status', anchor)} />
          ) : (
            <LeadStatusChip status={leadStatus(lead)} />
          )}
        </dd>
        <dt>Owner</dt>
        <dd>
          <Button
            ref={ownerButton}
            data-printed
            size="small"
            variant="outlined"
            aria-haspopup="menu"
            aria-label={`Owner: ${lead.owner?.name ?? 'No owner'}. Choose another`}
            endIcon={<ChevronDownIcon />}
            onClick={({ currentTarget }) => open('owner', currentTarget)}
            sx={{ textAlign: 'start', minWidth: 0, overflowWrap: 'anywhere' }}
          >
            {lead.owner?.name ?? 'No owner'}
          </Button>
          {!isMine && (
            <Button size="small" variant="text" onClick={assignToMe} disabled={!staff.me}>
              Assign to me
            </Button>
          )}
        </dd>
        {lead.response !== 'none' && (
          <>
            <dt>Answer</dt>
            <dd>
              <Clock lead={lead} onAnswered={(answered) => send({ answered })} />
            </dd>
          </>
        )}
      </Rows>
      <ChoiceMenu
        label="Status"
        anchor={menu?.kind === 'status' ? menu.anchor : null}
        choices={statusChoices}
        selected={leadStatus(lead)}
        onChoose={(status) => send({ status })}
        onClose={() => setMenu(undefined)}
      />
      <ChoiceMenu
        label="Owner"
        anchor={menu?.kind === 'owner' ? menu.anchor : null}
        choices={ownerChoices(staff, lead.owner)}
        selected={lead.owner?.id ?? null}
        onChoose={(ownerId) => send({ ownerId })}
        onClose={() => setMenu(undefined)}
      />
    </section>
  );
}

interface ClockProps {
  readonly lead: Lead;
  readonly onAnswered: (answered: boolean) => void;
}

/** One button in both states, so that the focus stays on it. */
function Clock({ lead, onAnswered }: ClockProps) {
  const now = useNow();
  const isAnswered = responseAt(lead, now) === 'answered';
  return (
    <>
      {isAnswered ? <Answered lead={lead} /> : <DueTime lead={lead} />}
      <Button size="small" variant={isAnswered ? 'text' : 'outlined'} onClick={() => onAnswered(!isAnswered)}>
        {isAnswered ? 'Not answered yet' : 'Mark as answered'}
      </Button>
    </>
  );
}

function Answered({ lead: { answeredAt, dueAt } }: { readonly lead: Lead }) {
  if (answeredAt === null) return <span>Answered</span>;
  const isLate = dueAt !== null && answeredAt > dueAt;
  return (
    <Box component="span" sx={{ fontSize: '0.875rem' }}>
      Answered <time dateTime={answeredAt}>{formatDateTime(answeredAt)}</time>
      {isLate && ', late'}
    </Box>
  );
}
