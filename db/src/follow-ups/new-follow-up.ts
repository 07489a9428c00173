import type { FollowUpKind } from '@dune-tide/domain/follow-ups';
import type { RequiredFollowUp } from '@dune-tide/domain/leads';
import { newId } from '../connection/index.ts';

/** A follow-up that a worker can claim. */
export interface StoredFollowUp {
  readonly id: string;
  readonly kind: FollowUpKind;
}

export interface NewFollowUp extends StoredFollowUp {
  readonly recipient: string;
  readonly message_id: string;
}

/** Returns the row of a new follow-up, without its lead. */
export function newFollowUp({ kind, recipient }: RequiredFollowUp, mailDomain: string): NewFollowUp {
  const id = newId();
  return { id, kind, recipient, message_id: `<${id}@${mailDomain}>` };
}
