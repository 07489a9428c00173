import type { FollowUpKind } from '../follow-ups.ts';
import type { FormSchema } from '../forms/form-schema.ts';
import type { Option } from '../forms/option.ts';

/** How staff see a value. `long` keeps line breaks; `link` shows the full address, because it may lead anywhere. */
export type Display = 'text' | 'long' | 'email' | 'phone' | 'link' | 'urgency';

/** The texts of a lead, by the names of their fields. */
export type Texts<Name extends string = string> = { readonly [Field in Name]?: string | undefined };

/** The names of the fields of one form, or of several. */
export type FieldName<Form extends FormSchema> = Form extends FormSchema ? keyof Form['properties'] & string : never;

/**
 * A field of a lead and its parts in the product. Its label, its rules and whether it may be empty are those of the
 * form. The details, the receipt, the CSV and the export of personal data have every field, and searches find it, unless it
 * says otherwise.
 */
export interface FieldDeclaration<Name extends string = string> {
  /** A text on one line by default. */
  readonly display?: Display;
  /** The label for staff, if it differs from that of the form. */
  readonly label?: string;
  /** The label in a row of a list, if it is shorter. */
  readonly rowLabel?: string;
  /** The name of the stored value, which responses and the CSV have, if it differs from that of the form. */
  readonly storedAs?: string;
  /** The options whose labels everyone reads instead of the values. */
  readonly options?: readonly Option[];
  /** The options whose labels only the staff area shows. Emails and the receipt have the values. */
  readonly staffOptions?: readonly Option[];
  /** Whether notices to staff have it, or the text that they have. */
  readonly notice?: true | ((texts: Texts<Name>) => string);
  /** Whether a reply quotes it. */
  readonly isQuoted?: true | ((texts: Texts<Name>) => boolean);
  /** Whether the page sends it by itself, so that the receipt leaves it out. */
  readonly isSentByPage?: true;
  /** The field whose value contains this one. Only the receipt and the export of personal data have it separately. */
  readonly partOf?: Name;
  /** The form that composes it, and the text that the form composes; undefined if a part is missing. */
  readonly composed?: { readonly by: FormSchema; readonly text: (texts: Texts<Name>) => string | undefined };
  /** Returns the text that staff read instead of the value; undefined for the value itself. */
  readonly shown?: (texts: Texts<Name>) => string | undefined;
  /** Whether the page does not ask for it. The details then omit an empty value. */
  readonly isUnasked?: (texts: Texts<Name>) => boolean;
}

/** A kind of lead. */
export interface KindDeclaration<
  Form extends FormSchema = FormSchema,
  Variant extends FormSchema = FormSchema,
  Name extends string = FieldName<Form | Variant>,
> {
  readonly labels: {
    /** The name in sentences, e.g. in emails. */
    readonly sentence: string;
    /** The name in the staff area. */
    readonly staff: string;
    /** The name of the list in the staff area. */
    readonly list: string;
  };
  readonly form: Form;
  /** Forms with other fields, whose bodies the same call accepts. */
  readonly variants: readonly Variant[];
  /** Returns the form whose rules apply to a body, which need not be valid, or to stored values. */
  readonly formOf: (body: unknown) => Form | Variant;
  /** The fields in the order of the details: what the visitor wants, then who wrote. */
  readonly fields: { readonly [Field in Name]: FieldDeclaration<Name> };
  /**
   * The order of the members of responses and of the columns of the CSV, which must not change. Fields that it does not
   * name follow.
   */
  readonly order: readonly string[];
  /** The fields with the name of the person who wrote. */
  readonly name: readonly Name[];
  /** The field with what they want. */
  readonly subject: Name | null;
  /** Whether staff work on it: it is in lists and has a status (docs/PRODUCT.md, "Lead status"). */
  readonly isWorked: boolean;
  /** Null is read as `new`. */
  readonly initialStatus: 'new' | null;
  /** Whether its answer is due at a time (docs/PRODUCT.md, "Clock"). */
  readonly hasClock: boolean;
  /** Whether responses have the time of the last change. */
  readonly hasUpdateTime: boolean;
  /** The email that the visitor gets first. */
  readonly firstEmail: FollowUpKind & ('acknowledgement' | 'portfolio_pdf');
  /** Whether the token of its form is checked (docs/PRODUCT.md, "Spam"). */
  readonly hasFormToken: boolean;
  /** The period after which it is erased (docs/PRODUCT.md, "Retention"). */
  readonly retention: 'leads' | 'applications';
}

/** The email address, which staff can correct. Every kind has it. */
export const email = { label: 'Email', display: 'email' } as const;
