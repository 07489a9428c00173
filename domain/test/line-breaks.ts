/** Every line break that mail programs and terminals know. */
export const lineBreaks = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'] as const;
