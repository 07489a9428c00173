import type { FieldSchema, FormSchema } from '../forms/form-schema.ts';
import type { LabelledText } from '../forms/labelled-paragraphs.ts';
import { optionLabel } from '../forms/option.ts';
import type { SearchedFields } from '../search.ts';
import type { FieldDeclaration, KindDeclaration, Texts } from './declaration.ts';

/** A field with what follows from the forms. */
export interface FieldDefinition extends FieldDeclaration {
  /** The name in the form. */
  readonly name: string;
  /** The name of the stored value, which responses and the CSV have. */
  readonly key: string;
  /** The rules and the label of the main form, or of the first form that has the field. */
  readonly rules: FieldSchema;
  /** Whether the main form has it. Without a value it is null in responses; a field of other forms is left out. */
  readonly isOfMainForm: boolean;
  readonly isRequired: boolean;
}

/** A kind of lead with what follows from its declaration. All code about the values of leads reads it. */
export interface KindDefinition extends Omit<KindDeclaration, 'fields' | 'order'> {
  /** The forms that a body may match. */
  readonly forms: readonly FormSchema[];
  /** The fields in the order of the details. */
  readonly fields: readonly FieldDefinition[];
  /** The members of responses in their order. One without a field is not a value of the form. */
  readonly members: readonly { readonly key: string; readonly field: FieldDefinition | undefined }[];
  /** The fields that responses have, in the same order. */
  readonly ordered: readonly FieldDefinition[];
}

/** Values by their stored names, as the database has them or as a response does. */
export type Values = Readonly<Record<string, unknown>>;

/** Derives the definition of a kind. */
export function define<Declaration extends KindDeclaration>(
  declaration: Declaration,
): KindDefinition & { readonly declaration: Declaration } {
  const { form, variants, order } = declaration;
  const fields = Object.entries<FieldDeclaration>(declaration.fields).map(([name, field]): FieldDefinition => {
    const rules = [form, ...variants].find(({ properties }) => Object.hasOwn(properties, name))?.properties[name];
    if (rules === undefined) throw new TypeError(`No form has the field ${name}`);
    return {
      ...field,
      name,
      key: field.storedAs ?? name,
      rules,
      isOfMainForm: Object.hasOwn(form.properties, name),
      isRequired: form.required.includes(name),
    };
  });
  const returned = fields.filter(({ partOf }) => partOf === undefined);
  const returnedKeys = returned.map(({ key }) => key);
  const unknown = order.find((key) => ![...returnedKeys, 'status', 'updatedAt'].includes(key));
  if (unknown !== undefined) throw new TypeError(`The order names ${unknown}, which is not a field`);
  const keys = new Set([...order, ...returnedKeys]);
  const members = [...keys].map((key) => ({ key, field: returned.find((field) => field.key === key) }));
  const ordered = members.flatMap(({ field }) => field ?? []);
  return { ...declaration, declaration, forms: [...variants, form], fields, members, ordered };
}

/** Returns the values of a form as they are stored: under their stored names, and with the texts that the form composes. */
export function toStored(kind: KindDefinition, form: FormSchema, values: Values): Values {
  const stored: Record<string, unknown> = {};
  for (const { name, key, composed } of kind.fields) {
    const value = values[name] ?? (composed?.by === form ? composed.text(textsOf(kind, values, 'name')) : undefined);
    if (value !== undefined) stored[key] = value;
  }
  return stored;
}

/**
 * Returns the members of a response: null for an empty field, and nothing for one that only variants of the form have.
 * @param others - the members that are not values of the form
 */
export function membersOf(kind: KindDefinition, values: Values, others: Values): Values {
  const members: Record<string, unknown> = {};
  for (const { key, field } of kind.members) {
    const value = field === undefined ? others[key] : (values[key] ?? (field.isOfMainForm ? null : undefined));
    if (value !== undefined) members[key] = value;
  }
  return members;
}

/** Returns what a search finds a lead by, in the order of the search text: all that staff can read, and what was sent. */
export function searchedFields(kind: KindDefinition, values: Values): SearchedFields {
  return {
    texts: kind.ordered.flatMap((field) => searchedTexts(kind, field, values)),
    phones: kind.ordered.flatMap(({ display, key }) => (display === 'phone' ? (textOf(values, key) ?? []) : [])),
  };
}

/** Returns the value of a field as staff read it, and as it was sent if that differs. Emails and the CSV have the latter. */
function searchedTexts(kind: KindDefinition, field: FieldDefinition, values: Values): readonly string[] {
  const texts = [staffText(kind, field, values), textOf(values, field.key)];
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** Returns what a visitor has entered, with the labels and in the order of their form. */
export function receiptFields(kind: KindDefinition, values: Values): readonly LabelledText[] {
  const form = kind.formOf(values);
  return Object.entries(form.properties).flatMap(([name, { description }]) => {
    const field = fieldOf(kind, name);
    const text = field && !field.isSentByPage && field.composed?.by !== form ? publicText(field, values) : '';
    return text === '' ? [] : [{ label: description, text }];
  });
}

/** Returns who wrote and about what, on one line each, for notices to staff. */
export function noticeOf(kind: KindDefinition, values: Values): readonly LabelledText[] {
  return [
    ...(kind.name.length === 0 ? [] : [{ label: 'Name', text: namesIn(kind, values).join(' ') }]),
    ...kind.ordered.flatMap((field) => {
      if (field.notice === undefined) return [];
      const text = field.notice === true ? publicText(field, values) : field.notice(textsOf(kind, values));
      return [{ label: labelOf(field), text }];
    }),
  ]
    .map(({ label, text }) => ({ label, text: text.replaceAll(/\s+/g, ' ').trim() }))
    .filter(({ text }) => text !== '');
}

/** Returns what a reply quotes, without repetition; an empty text if the form has no message. */
export function quoteOf(kind: KindDefinition, values: Values): string {
  const texts = textsOf(kind, values);
  return kind.ordered
    .filter(({ isQuoted = false }) => (typeof isQuoted === 'function' ? isQuoted(texts) : isQuoted))
    .flatMap(({ name }) => texts[name] || [])
    .join('\n\n');
}

/** Returns the parts of the name of the person who wrote, as typed; the address if the form does not ask for a name. */
export function namesIn(kind: KindDefinition, values: Values): readonly string[] {
  const names = kind.name.length === 0 ? ['email'] : kind.name;
  return names.map((name) => textOf(values, name) ?? '');
}

/** Returns the fields that the details show, with their values: null if it is empty, also because the lead is older. */
export function detailsOf(kind: KindDefinition, values: Values) {
  const texts = textsOf(kind, values);
  return kind.fields.flatMap((field) => {
    const { name, display = 'text', partOf, isOfMainForm, composed, isUnasked } = field;
    const stored = texts[name];
    if (partOf !== undefined || (stored === undefined && !isOfMainForm)) return [];
    if (stored !== undefined && stored === composed?.text(texts)) return [];
    const text = staffText(kind, field, values);
    const value = text?.trim() ? text : null;
    return value === null && isUnasked?.(texts) ? [] : [{ label: labelOf(field), display, value }];
  });
}

/**
 * Returns the texts that a search can have found, with the labels of their fields: those of one line first, then longer
 * ones, then what staff read elsewhere or in other words.
 */
export function searchedParts(kind: KindDefinition, values: Values): readonly LabelledText[] {
  const texts = textsOf(kind, values);
  return kind.ordered
    .flatMap((field) => {
      const { name, display, composed, rowLabel } = field;
      const isReadInParts = texts[name] !== undefined && texts[name] === composed?.text(texts);
      return searchedTexts(kind, field, values).map((text, index) => {
        const rank = isReadInParts || index > 0 ? 2 : Number(display === 'long');
        return { rank, part: { label: rowLabel ?? labelOf(field), text } };
      });
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ part }) => part);
}

/** Returns the text that staff read as the value of a field; undefined without one. */
export function staffTextIn(kind: KindDefinition, values: Values, name: string | null): string | undefined {
  const field = fieldOf(kind, name);
  return field && staffText(kind, field, values);
}

/** Returns the label of what the form has sent as the subject, whatever staff read instead. */
export function sentSubjectOf(kind: KindDefinition, values: Values): string | undefined {
  const field = fieldOf(kind, kind.subject);
  return field && labelled(field.options ?? field.staffOptions, textOf(values, field.key));
}

/** Returns what the form has sent as the subject if staff read something else instead. */
export function subjectBehind(kind: KindDefinition, values: Values): string | undefined {
  const field = fieldOf(kind, kind.subject);
  return field?.shown?.(textsOf(kind, values)) === undefined ? undefined : textOf(values, field.key);
}

const fieldOf = ({ fields }: KindDefinition, name: string | null): FieldDefinition | undefined =>
  fields.find((field) => field.name === name);

const labelOf = ({ label, rules }: FieldDefinition): string => label ?? rules.description;

function staffText(kind: KindDefinition, field: FieldDefinition, values: Values): string | undefined {
  return (
    field.shown?.(textsOf(kind, values)) ?? labelled(field.options ?? field.staffOptions, textOf(values, field.key))
  );
}

const publicText = ({ options, key }: FieldDefinition, values: Values): string =>
  labelled(options, textOf(values, key)) ?? '';

function labelled(options: FieldDeclaration['options'], value: string | undefined): string | undefined {
  return options && value !== undefined ? optionLabel(options, value) : value;
}

function textOf(values: Values, key: string): string | undefined {
  const value = values[key];
  return typeof value === 'string' ? value : undefined;
}

/** @param by - `name` for the values of a form, which are not stored yet */
function textsOf(kind: KindDefinition, values: Values, by: 'key' | 'name' = 'key'): Texts {
  return Object.fromEntries(kind.fields.map((field) => [field.name, textOf(values, field[by])]));
}
