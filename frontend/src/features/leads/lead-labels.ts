import { leadDefinitions, type LeadField, type LeadKind, type LeadStatus } from '@dune-tide/domain/leads';
import { namesIn, sentSubjectOf, staffTextIn, subjectBehind } from '@dune-tide/domain/leads/definition';
import type { Lead } from '@dune-tide/domain/responses/lead';
import type { SpamSign } from '@dune-tide/domain/spam';
import { isolated } from '../../format/bidi-isolate.ts';

/** Returns the name of a kind of lead in the staff area. */
export const kindLabel = (kind: LeadKind): string => leadDefinitions[kind].labels.staff;

/** Returns the parts of the lead's name as typed. A portfolio request has only its address. */
export const nameParts = (lead: Lead): readonly string[] => namesIn(leadDefinitions[lead.kind], lead);

/** Returns the lead's name as plain text. The component `LeadName` renders it. */
export const leadName = (lead: Lead): string => nameParts(lead).map(isolated).join(' ');

/** Returns the value of a field with the label of its option; null without a value, and for leads of other kinds. */
export const fieldText = (lead: Lead, field: LeadField): string | null =>
  staffTextIn(leadDefinitions[lead.kind], lead, field) ?? null;

/** Returns the label of the requested service or position; undefined for a portfolio request. */
export const serviceOrPosition = (lead: Lead): string | undefined => sentSubjectOf(leadDefinitions[lead.kind], lead);

/** Returns the requested service or position; for a project inquiry, whose `service` is fixed, its `serviceType`. */
export function leadSubject(lead: Lead): string | undefined {
  const definition = leadDefinitions[lead.kind];
  return staffTextIn(definition, lead, definition.subject);
}

/** Returns the fixed `service` of a project inquiry, which `leadSubject` does not return; null for other leads. */
export const serviceBehindSubject = (lead: Lead): string | null =>
  subjectBehind(leadDefinitions[lead.kind], lead) ?? null;

/** Returns the lead's status; a portfolio request, which has none, is shown as new (docs/PRODUCT.md, "Lead status"). */
export function leadStatus(lead: Lead): LeadStatus {
  return lead.status ?? 'new';
}

/** Returns a status with a capital letter. */
export const statusLabel = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1);

/** Returns the part of an urgency before " - ", which determines its colour (docs/PRODUCT.md, "Urgency"). */
export const urgencyWord = (urgency: string): string => urgency.split(' - ', 1)[0]?.trim() ?? '';

const urgencyLevels: Readonly<Record<string, string>> = {
  critical: 'urgent',
  high: 'high',
  medium: 'medium',
  low: 'low',
};

/** Returns the level of a submitted urgency; undefined for an unknown text. */
export const urgencyLevel = (urgency: string): string | undefined => {
  const word = urgencyWord(urgency).toLowerCase();
  return Object.hasOwn(urgencyLevels, word) ? urgencyLevels[word] : undefined;
};

/** The reason for each sign of spam, for staff. */
export const spamReasons: Readonly<Record<SpamSign, string>> = {
  honeypot: 'A hidden field was filled in.',
  too_fast: 'The form was submitted faster than a person can fill it in.',
  forged_token: 'Its form token was not issued by us.',
  by_hand: 'A member of the team marked it.',
};
