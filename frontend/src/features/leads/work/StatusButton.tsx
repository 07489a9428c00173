import type { Lead } from '@dune-tide/domain/responses/lead';
import ButtonBase from '@mui/material/ButtonBase';
import { createContext, type Ref, use } from 'react';
import { ChevronDownIcon } from '../../../staff-ui/icons.tsx';
import { Initials } from '../../../staff-ui/lists/Initials.tsx';
import { leadName, leadStatus, statusLabel } from '../lead-labels.ts';
import { LeadStatusChip } from './LeadStatusChip.tsx';

/** Opens the menu of statuses for a lead. The menu is outside of the rows, because a row reacts to any click in it. */
export const OpenStatusMenu = createContext<((lead: Lead, anchor: HTMLElement) => void) | null>(null);

/** Returns the id of the button that changes a lead's status. */
export const statusButtonId = (id: string): string => `status-${id}`;

interface StatusButtonProps {
  readonly lead: Lead;
  readonly id?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly onOpen: (anchor: HTMLElement) => void;
}

/** A lead's status, which opens the menu that changes it. */
export function StatusButton({ lead, id, ref, onOpen }: StatusButtonProps) {
  const label = statusLabel(leadStatus(lead));
  return (
    <ButtonBase
      id={id}
      ref={ref}
      data-printed
      aria-haspopup="menu"
      aria-label={`${label}: change the status of ${leadName(lead)}`}
      onClick={({ currentTarget }) => onOpen(currentTarget)}
      sx={{
        gap: '1px',
        minWidth: 0,
        minHeight: '1.75rem',
        borderRadius: 999,
        font: 'inherit',
        '&:hover': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 8%, transparent)' },
      }}
    >
      <LeadStatusChip status={leadStatus(lead)} />
      <ChevronDownIcon sx={{ fontSize: 14, color: 'text.secondary', flexShrink: 0, marginRight: '3px' }} />
    </ButtonBase>
  );
}

/** The status in a table, which can be changed there, with the owner's initials. */
export function StatusCell({ lead }: { readonly lead: Lead }) {
  const openMenu = use(OpenStatusMenu);
  return (
    <span className="status">
      <StatusButton lead={lead} id={statusButtonId(lead.id)} onOpen={(anchor) => openMenu?.(lead, anchor)} />
      {lead.owner && <Initials name={lead.owner.name} relation="Owner" />}
    </span>
  );
}
