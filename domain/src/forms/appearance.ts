import { invisible } from './invisible.ts';

const unseen = new RegExp(`[\\p{Cf}${invisible}]`, 'gu');

/**
 * Returns what tells a name from another one for a reader: it leaves out case, invisible characters and variants of
 * characters (Unicode NFKC). Letters of different alphabets stay different.
 */
export function appearanceOf(name: string): string {
  // Lower case can undo the normal form.
  const lower = name.normalize('NFKC').replace(unseen, '').toLowerCase().normalize('NFKC');
  return lower.replace(/\s+/gu, ' ').trim();
}
