/** Devices with a touch screen. */
const touch = '@media (any-pointer: coarse)';

/** The font size of fields: phones and tablets of Apple zoom into a field with smaller text. */
export const fieldFontSize = (size: string) => ({ fontSize: size, [touch]: { fontSize: 'max(1rem, 16px)' } });
