import type { NewLead, OwedFollowUp } from '@dune-tide/db/leads';
import { owedFollowUps } from '@dune-tide/domain/leads';

/** The follow-ups of a lead with their recipients. */
export function followUpsOwed(
  { kind, email }: Pick<NewLead, 'kind' | 'email'>,
  staffEmail: string | undefined,
): OwedFollowUp[] {
  return owedFollowUps(kind, staffEmail !== undefined).map((followUp) => ({
    kind: followUp,
    recipient: followUp === 'staff_notice' && staffEmail !== undefined ? staffEmail : email,
  }));
}
