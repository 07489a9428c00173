import type { StoredLead } from '@dune-tide/db/leads';
import { leadDefinitions, valuesOf } from '@dune-tide/domain/leads';
import { membersOf } from '@dune-tide/domain/leads/definition';
import type { PresentedLead } from '@dune-tide/domain/responses/lead';

/** Presents a lead to staff, with its kind. */
export function presentLead(lead: StoredLead): PresentedLead {
  const {
    kind,
    id,
    email,
    status,
    spamSign,
    owner,
    dueAt,
    answeredAt,
    response,
    version,
    activity,
    createdAt,
    updatedAt,
  } = lead;
  const everyLead = { kind, id, email, spamSign, owner, dueAt, answeredAt, response, version, activity, createdAt };
  // The type is derived from the same declarations.
  return { ...everyLead, ...membersOf(leadDefinitions[kind], valuesOf(lead), { status, updatedAt }) } as PresentedLead;
}

/** Presents a lead in the list of its kind, which does not repeat the kind. */
export function presentLeadItem(lead: StoredLead): Omit<PresentedLead, 'kind'> {
  const { kind: _kind, ...item } = presentLead(lead);
  return item;
}
