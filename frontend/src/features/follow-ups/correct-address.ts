import { correctableKinds } from '@dune-tide/domain/follow-ups';
import type { recipientForm } from '@dune-tide/domain/forms/reply';
import type { FormValues } from '@dune-tide/domain/forms/form-schema';
import type { RequestFailure } from '../../api-client/request.ts';
import { leadDeletedText } from '../../staff-ui/failure-text.ts';
import { toasts } from '../../toasts/toasts.ts';
import { type EmailOfLead, type FollowUp, useCorrectRecipientMutation } from './follow-ups-api.ts';

export type Recipient = FormValues<typeof recipientForm>;

/** Returns whether staff can correct the address of a failed email (docs/PRODUCT.md, "Corrected addresses"). */
export const isCorrectable = ({ kind, state }: Pick<FollowUp, 'kind' | 'state'>): boolean =>
  state === 'failed' && correctableKinds.some((each) => each === kind);

/** Returns the function that sends a failed email to another address. It rejects with the failure of its request. */
export function useCorrectAddress() {
  const [correct] = useCorrectRecipientMutation();
  return async ({ id, leadId }: EmailOfLead, { email, changeLead = false }: Recipient): Promise<void> => {
    await correct({ id, leadId, email, changeLead }).unwrap();
    toasts.success(`The email will be sent to ${email}.`, 'Address Corrected');
  };
}

/** Describes the failure of a retry or of a correction, without those that `failureTextOf` describes. */
export function failureText({ status }: RequestFailure): string {
  if (status === 409) return 'The email has changed in the meantime, or its mailbox is opted out of automatic emails.';
  if (status === 404) return leadDeletedText;
  return 'Could not send the email. Please try again.';
}
