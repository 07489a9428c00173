import { asciiDigits } from '@dune-tide/domain/forms/normalise';
import type { Knex } from 'knex';

/** A lead of a person, with what names the person. */
export interface NamedLead {
  readonly id: string;
  readonly names: string;
  readonly phone: string;
}

/** Erases the saved views that name a person. @returns their number */
export async function eraseViews(
  transaction: Knex.Transaction,
  email: string,
  leads: readonly NamedLead[],
): Promise<number> {
  const ids = await viewsThatName(transaction, email, leads);
  if (ids.length === 0) return 0;
  return transaction('lead_views').whereIn('id', ids).delete();
}

/**
 * Finds the saved views that name a person: their name or their query has the address, a phone number or a word of the
 * person's name.
 */
export async function viewsThatName(
  transaction: Knex.Transaction,
  email: string,
  leads: readonly NamedLead[],
): Promise<string[]> {
  const words = new Set(leads.flatMap(({ names }) => wordsOf(names)));
  const phones = new Set(leads.map(({ phone }) => digitsOf(phone)).filter((digits) => digits !== ''));
  const views = await readViews(transaction);
  return views
    .filter(({ texts }) =>
      texts.some(
        (text) =>
          hasAddress(text, email) ||
          wordsOf(text).some((word) => words.has(word)) ||
          [...phones].some((digits) => digitsOf(text) !== '' && sameNumber(digits, digitsOf(text))),
      ),
    )
    .map(({ id }) => id);
}

/**
 * Returns the saved views that have an address. Those that share only a name with the person may be about another one.
 * @param email - in upper or lower case
 */
export async function viewsWithAddress(
  db: Knex,
  email: string,
): Promise<{ readonly name: string; readonly search: string }[]> {
  const views = await readViews(db);
  return views
    .filter(({ texts }) => texts.some((text) => hasAddress(text, email)))
    .map(({ name, search }) => ({ name, search }));
}

/** Returns all saved views, each with the texts in it that can name a person. */
async function readViews(db: Knex) {
  const views = await db('lead_views').select<{ id: string; name: string; search: string }[]>('id', 'name', 'search');
  return views.map((view) => {
    const parameters = new URLSearchParams(view.search);
    return { ...view, texts: [view.name, ...['q', 'email'].flatMap((key) => parameters.getAll(key))] };
  });
}

const hasAddress = (text: string, email: string): boolean => text.toLowerCase().includes(email.toLowerCase());

/** The number of letters from which a word of a name identifies a person. */
const minNameLetters = 3;
/** The number of digits from which a text is a phone number. */
const minPhoneDigits = 6;

function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => word.length >= minNameLetters);
}

/** Returns the digits of a phone number without its leading zeros; an empty text if they are too few. */
function digitsOf(text: string): string {
  const digits = asciiDigits(text).replaceAll(/\D/g, '').replace(/^0+/, '');
  return digits.length < minPhoneDigits ? '' : digits;
}

/** Returns whether one number is the other with or without a country code. */
const sameNumber = (one: string, other: string): boolean => one.endsWith(other) || other.endsWith(one);
