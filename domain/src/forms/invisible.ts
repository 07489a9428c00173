/**
 * What is a character and shows nothing, for a class of a pattern with the `u` flag: fillers, joiners, marks of
 * direction, the blank of Braille. Blanks are apart.
 */
export const invisible = '\\p{Default_Ignorable_Code_Point}\\u2800';
