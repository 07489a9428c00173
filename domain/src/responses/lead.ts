import {
  leadDefinitions,
  leadKinds,
  leadResponses,
  leadStatuses,
  type HasUpdateTime,
  type LeadKind,
  type ReturnedValues,
  type StatusOf,
} from '../leads.ts';
import type { KindDefinition } from '../leads/definition.ts';
import { spamSigns } from '../spam.ts';
import { accountReference } from './account.ts';
import {
  dateTime,
  nullable,
  object,
  oneOf,
  string,
  uuid,
  wholeNumber,
  type Json,
  type JsonSchema,
  type Presented,
  type ResponseSchema,
} from './schema.ts';

/** The members of every lead. */
const everyLead = object({
  id: uuid,
  email: string,
  spamSign: {
    ...nullable(oneOf(spamSigns)),
    description: 'Why the lead is held as spam; null if it is not held or was released',
  },
  owner: { ...nullable(accountReference), description: 'The account that works on the lead' },
  dueAt: { ...nullable(dateTime), description: 'When the answer is due; null without a clock' },
  answeredAt: {
    ...nullable(dateTime),
    description: 'Null before the answer, and for a lead that was answered at an unknown time',
  },
  response: oneOf(leadResponses),
  version: { ...wholeNumber, description: 'Counts the changes by staff, from 1' },
  activity: { ...wholeNumber, description: 'Counts the changes by staff, their notes and their replies, from 0' },
  createdAt: dateTime,
});

type LeadWith<Kind extends LeadKind, Common, Time> = Flat<
  { readonly kind: Kind; readonly status: StatusOf<Kind> } & Common &
    ReturnedValues<Kind> &
    (HasUpdateTime<Kind> extends true ? { readonly updatedAt: Time } : unknown)
>;
type Flat<Value> = { readonly [Member in keyof Value]: Value[Member] };

/** A lead as the API builds its response. */
export type PresentedLead = {
  readonly [Kind in LeadKind]: LeadWith<Kind, Presented<typeof everyLead>, Date>;
}[LeadKind];

/** A lead of a kind as the reader of a response parses it. */
export type LeadOf<Kind extends LeadKind> = LeadWith<Kind, Json<typeof everyLead>, string>;
export type Lead = { readonly [Kind in LeadKind]: LeadOf<Kind> }[LeadKind];

type Members = Readonly<Record<string, JsonSchema>>;

/**
 * Describes a lead of a kind: the members of every lead, then those of its kind.
 * @param first - members that precede them
 */
export function leadSchema(
  definition: KindDefinition,
  first: Members = {},
): ReturnType<typeof object<Members, string>> {
  const properties: Record<string, JsonSchema> = { ...first, ...everyLead.properties };
  const status = definition.isWorked ? oneOf(leadStatuses) : ({ type: 'null' } as const);
  const optional: string[] = [];
  for (const { key, field } of definition.members) {
    if (field === undefined) properties[key] = key === 'status' ? status : dateTime;
    else if (field.name !== 'email') {
      const value = field.rules.enum ? oneOf(field.rules.enum) : string;
      properties[key] = field.isRequired || !field.isOfMainForm ? value : nullable(value);
      if (!field.isOfMainForm) optional.push(key);
    }
  }
  return object(properties, optional);
}

const leadItem = (kind: LeadKind): ResponseSchema => ({
  title: `${kind.replaceAll('_', '-')}-lead`,
  description: `A ${leadDefinitions[kind].labels.sentence.toLowerCase()}`,
  ...leadSchema(leadDefinitions[kind]),
});

/** A lead in the list of its kind. */
export const leadItems = Object.fromEntries(leadKinds.map((kind) => [kind, leadItem(kind)])) as Readonly<
  Record<LeadKind, ResponseSchema>
>;

/** Returns the columns of the CSV with leads of several kinds: the members of their responses. */
export function csvColumns(definitions: readonly KindDefinition[]): readonly string[] {
  const members = definitions.flatMap((definition) => Object.keys(leadSchema(definition).properties));
  return ['kind', ...new Set(members)].filter((name) => name !== 'version' && name !== 'activity');
}

/** A single lead: its kind, and the members that a lead of this kind has in lists. */
export const leadResponse: ResponseSchema = {
  title: 'lead',
  description: 'A lead of any kind',
  oneOf: leadKinds.map((kind) => leadSchema(leadDefinitions[kind], { kind: { const: kind } })),
};

/** The result of a change of several leads. */
export const bulkChangeResponse = {
  title: 'bulk-change-result',
  description: 'What became of the leads',
  ...object({
    changed: wholeNumber,
    unchanged: {
      ...wholeNumber,
      description: 'Leads that had the wanted values, or to which the change does not apply',
    },
    missing: { ...wholeNumber, description: 'Ids without a lead' },
  }),
} as const satisfies ResponseSchema;

/** The response to a form whose lead is stored. */
export const storedLeadResponse = {
  title: 'stored-lead',
  description: 'The lead that was stored',
  ...object({ id: uuid }),
} as const satisfies ResponseSchema;
