/** The portfolio PDF, as the home page announces it. A test of the worker compares these numbers with the file. */
export const portfolioFile = { pages: 14, kilobytes: 110 } as const;
