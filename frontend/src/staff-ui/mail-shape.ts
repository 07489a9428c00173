/** The SVG path of the mail icon, for modules that do not load the other icons. */
export const mailShape = 'M3.500 6h17v12.500h-17zM4 6.500l8 6.500 8-6.500';
