import type { Lead } from '@dune-tide/domain/responses/lead';
import { fieldText, leadSubject } from '../lead-labels.ts';
import { firstName } from './reply-text.ts';

/** The placeholders of recipes (docs/PRODUCT.md, "Recipes in replies"). */
const placeholder = /\{(firstName|company|service|myName)\}/g;

type Values = Readonly<Record<'firstName' | 'company' | 'service' | 'myName', string | undefined>>;

/**
 * Returns the values of the placeholders in a reply to a lead.
 * @param myName - the name of the account that is signed in
 */
export function placeholderValues(lead: Lead, myName: string | undefined): Values {
  return {
    firstName: firstName(lead),
    company: fieldText(lead, 'company') ?? undefined,
    service: leadSubject(lead),
    myName,
  };
}

/** Fills placeholders in. Those without a value stay. */
export function fillPlaceholders(text: string, values: Values): string {
  return text.replaceAll(placeholder, (whole, name: keyof Values) => values[name]?.trim() || whole);
}

/** Returns the placeholders in a text, each once. */
export function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(placeholder))];
}
