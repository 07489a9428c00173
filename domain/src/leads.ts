import type { FollowUpKind } from './follow-ups.ts';
import type { FormValues } from './forms/form-schema.ts';
import { careerApplication } from './leads/career-application.ts';
import { contact } from './leads/contact.ts';
import { define, type Values } from './leads/definition.ts';
import { portfolioRequest } from './leads/portfolio-request.ts';
import { serviceInquiry } from './leads/service-inquiry.ts';

/** The four kinds of lead (docs/PRODUCT.md, "Lead kinds"). */
export const leadDefinitions = {
  contact: define(contact),
  service_inquiry: define(serviceInquiry),
  career_application: define(careerApplication),
  portfolio_request: define(portfolioRequest),
};
export type LeadKind = keyof typeof leadDefinitions;
export const leadKinds = Object.keys(leadDefinitions) as [LeadKind, ...LeadKind[]];

/** The declaration of a kind, with its literal types. */
type Declared<Kind extends LeadKind> = (typeof leadDefinitions)[Kind]['declaration'];

/** The kinds that staff work on. They have lists and a status (docs/PRODUCT.md, "Lead status"). */
export type WorkedKind = {
  [Kind in LeadKind]: Declared<Kind>['isWorked'] extends true ? Kind : never;
}[LeadKind];
export const isWorked = (kind: LeadKind): kind is WorkedKind => leadDefinitions[kind].isWorked;
export const workedKinds: readonly WorkedKind[] = leadKinds.filter(isWorked);

/** The kinds whose answer is due at a time (docs/PRODUCT.md, "Clock"). */
export const clockedKinds: readonly LeadKind[] = leadKinds.filter((kind) => leadDefinitions[kind].hasClock);

type Fields<Kind extends LeadKind> = Declared<Kind>['fields'];
type MainValues<Kind extends LeadKind> = FormValues<Declared<Kind>['form']>;
/** A field that only variants of the form have. */
type VariantField<Kind extends LeadKind> = Exclude<keyof Fields<Kind>, keyof MainValues<Kind>>;
/** The name under which a field is stored. */
type Key<Kind extends LeadKind, Name> = Name extends keyof Fields<Kind>
  ? Fields<Kind>[Name] extends { readonly storedAs: infer Stored extends string }
    ? Stored
    : Name
  : never;

/** The values that are stored with a lead. */
export type LeadValues<Kind extends LeadKind> = {
  readonly [Name in keyof MainValues<Kind> as Key<Kind, Name>]: MainValues<Kind>[Name];
} & { readonly [Name in VariantField<Kind> as Key<Kind, Name>]?: string };

/** A field of some kind. */
export type LeadField = { [Kind in LeadKind]: keyof Fields<Kind> }[LeadKind];

/** A stored lead. The column of its fields is named `answers`. */
export type LeadRecord = {
  readonly [Kind in LeadKind]: { readonly kind: Kind; readonly email: string; readonly fields: LeadValues<Kind> };
}[LeadKind];

/** Returns the values of a stored lead. Staff can correct the address, so it is that of the lead. */
export const valuesOf = ({ fields, email }: Pick<LeadRecord, 'fields' | 'email'>): Values => ({ ...fields, email });

/** The name of a field in responses; never for the address, which every lead has, and for a part of another field. */
type ReturnedKey<Kind extends LeadKind, Name> =
  Name extends Exclude<keyof Fields<Kind>, 'email'>
    ? Fields<Kind>[Name] extends { readonly partOf: string }
      ? never
      : Key<Kind, Name>
    : never;

/** The values of a lead in responses: null for an empty field, and nothing for a field that only variants have. */
export type ReturnedValues<Kind extends LeadKind> = {
  readonly [Name in keyof MainValues<Kind> as ReturnedKey<Kind, Name>]-?: undefined extends MainValues<Kind>[Name]
    ? NonNullable<MainValues<Kind>[Name]> | null
    : MainValues<Kind>[Name];
} & { readonly [Name in VariantField<Kind> as ReturnedKey<Kind, Name>]?: string };

/** Whether responses have the time of the last change. */
export type HasUpdateTime<Kind extends LeadKind> = Declared<Kind>['hasUpdateTime'];

/** The progress of a lead (docs/PRODUCT.md, "Lead status"). */
export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

const isOpen: Readonly<Record<LeadStatus, boolean>> = {
  new: true,
  contacted: true,
  qualified: true,
  won: false,
  lost: false,
};

/** The statuses in which a lead still needs work. A deactivated account loses its leads in these. */
export const openStatuses = leadStatuses.filter((status) => isOpen[status]);

/** The status of leads of a kind; null if staff do not work on it. */
export type StatusOf<Kind extends LeadKind> = Kind extends WorkedKind ? LeadStatus : null;

/**
 * Whether a lead has been answered in time (docs/PRODUCT.md, "Clock").
 * - `none`: it has no clock
 * - `answered`: it was answered, in time or late
 * - `waiting`: it is unanswered, and more than `dueSoonHours` are left
 * - `soon`: it is unanswered, and `dueSoonHours` or less are left
 * - `overdue`: it is unanswered, and no time is left
 */
export const leadResponses = ['none', 'answered', 'waiting', 'soon', 'overdue'] as const;
export type LeadResponse = (typeof leadResponses)[number];

/** A follow-up that a lead requires, and its recipient. */
export interface RequiredFollowUp {
  readonly kind: FollowUpKind;
  readonly recipient: string;
}

/**
 * Returns the follow-ups that a lead requires (docs/PRODUCT.md, "Emails"). A portfolio request gets no acknowledgement,
 * because the email with the portfolio serves as one.
 * @param staffEmail - the address that receives a notice of each lead; undefined for no notices
 */
export function requiredFollowUps(
  { kind, email }: { readonly kind: LeadKind; readonly email: string },
  staffEmail: string | undefined,
): RequiredFollowUp[] {
  const toVisitor: RequiredFollowUp = { kind: leadDefinitions[kind].firstEmail, recipient: email };
  return staffEmail === undefined ? [toVisitor] : [toVisitor, { kind: 'staff_notice', recipient: staffEmail }];
}
