/**
 * Invisible characters for a character class of a `u` pattern: fillers, joiners, direction marks and the Braille blank.
 * White space is not included.
 */
export const invisible = '\\p{Default_Ignorable_Code_Point}\\u2800';
