import visuallyHidden from '@mui/utils/visuallyHidden';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { LeadStatus } from '@dune-tide/domain/leads';
import { openedForNote } from '../../../routing/location-state.ts';
import { ChoiceMenu } from '../../../staff-ui/ChoiceMenu.tsx';
import { AdminDialog } from '../../../staff-ui/dialogs/AdminDialog.tsx';
import { toasts } from '../../../toasts/toasts.ts';
import { useLeadKeys } from '../keys/lead-keys.ts';
import { leadName, leadStatus, statusLabel } from '../lead-labels.ts';
import { useLeadStaff } from '../lead-staff.ts';
import type { Lead } from '@dune-tide/domain/responses/lead';
import type { ListedLead } from '../lead.ts';
import { useLeadAddress } from '../use-lead-address.ts';
import { LeadConflictNotice } from '../work/LeadConflictNotice.tsx';
import { ownerChoices } from '../work/owner-choices.ts';
import { statusChoices } from '../work/status-choices.tsx';
import { statusButtonId } from '../work/StatusButton.tsx';
import { useLeadChange } from '../work/use-lead-change.ts';
import { linkIdOf } from './LeadRow.tsx';
import { useLeadSelection } from './selection.ts';

type OpenMenu = { readonly kind: 'status' | 'owner'; readonly lead: Lead; readonly anchor: HTMLElement };

/** The properties of a table that the keys of its rows use. */
export interface RowWorkProps {
  readonly rows: readonly ListedLead[];
  readonly onEmail: (lead: ListedLead) => void;
  readonly onHelp: () => void;
}

/** The changes of leads in the table: its menus, its keys, and conflicts with other users. */
export function useRowWork(
  { rows, onEmail, onHelp }: RowWorkProps,
  focused: number | undefined,
  focusRow: (index: number) => void,
  firstInSight: number,
) {
  const selection = useLeadSelection();
  const navigate = useNavigate();
  const addressOf = useLeadAddress();
  const staff = useLeadStaff();
  const { change, conflict, keepTheirs, overwrite } = useLeadChange();
  const [menu, setMenu] = useState<OpenMenu>();
  const [announced, setAnnounced] = useState('');

  const setStatus = async (lead: Lead, status: LeadStatus) => {
    const changed = await change(lead, { status });
    if (changed) setAnnounced(`${leadName(changed)}: ${statusLabel(leadStatus(changed))}`);
  };
  const setOwner = async (lead: Lead, ownerId: string | null) => {
    const changed = await change(lead, { ownerId });
    if (changed) toasts.success(changed.owner ? `Assigned to ${changed.owner.name}` : 'Owner removed');
  };

  const lead = focused === undefined ? undefined : rows[focused];
  const step = (by: 1 | -1) => {
    if (rows.length === 0) return;
    focusRow(focused === undefined ? firstInSight : Math.min(Math.max(focused + by, 0), rows.length - 1));
  };
  const openMenu = (kind: OpenMenu['kind']) => {
    const anchor = lead && document.getElementById(kind === 'status' ? statusButtonId(lead.id) : linkIdOf(lead.id));
    // A tab without the column has no button for the status.
    const place = anchor ?? (lead && document.getElementById(linkIdOf(lead.id)));
    if (lead && place) setMenu({ kind, lead, anchor: place });
  };
  useLeadKeys('page', {
    next: () => step(1),
    previous: () => step(-1),
    help: onHelp,
    ...(lead && {
      select: () => selection.toggle(lead.id),
      email: () => onEmail(lead),
      status: () => openMenu('status'),
      assign: () => openMenu('owner'),
      assignToMe: () => staff.me && void setOwner(lead, staff.me.id),
      note: () => void navigate(addressOf(lead), { state: openedForNote }),
    }),
  });

  const close = () => setMenu(undefined);
  const shown = menu && (rows.find(({ id }) => id === menu.lead.id) ?? menu.lead);
  return {
    openStatusMenu: (of: Lead, anchor: HTMLElement) => setMenu({ kind: 'status', lead: of, anchor }),
    dialogs: (
      <>
        {shown && menu.kind === 'status' && (
          <ChoiceMenu
            label={`Status of ${leadName(shown)}`}
            anchor={menu.anchor}
            choices={statusChoices}
            selected={leadStatus(shown)}
            onChoose={(status) => void setStatus(shown, status)}
            onClose={close}
          />
        )}
        {shown && menu.kind === 'owner' && (
          <ChoiceMenu
            label={`Owner of ${leadName(shown)}`}
            anchor={menu.anchor}
            choices={ownerChoices(staff, shown.owner)}
            selected={shown.owner?.id ?? null}
            onChoose={(ownerId) => void setOwner(shown, ownerId)}
            onClose={close}
          />
        )}
        <AdminDialog open={conflict !== undefined} onClose={keepTheirs} title={conflict && leadName(conflict.theirs)}>
          {conflict && (
            <LeadConflictNotice conflict={conflict} onKeep={keepTheirs} onOverwrite={() => void overwrite()} />
          )}
        </AdminDialog>
        <output style={visuallyHidden}>{announced}</output>
      </>
    ),
  };
}
