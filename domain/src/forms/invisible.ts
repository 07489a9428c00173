/**
 * Characters that show nothing (fillers, joiners, direction marks, the Braille blank), for a class of a `u` pattern.
 * Blanks are not among them.
 */
export const invisible = '\\p{Default_Ignorable_Code_Point}\\u2800';
