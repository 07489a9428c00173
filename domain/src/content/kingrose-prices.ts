/** The prices on /kingrose. A separate file, so that code for the page's head does not load the texts of the page. */
export const kingrosePrices = { tools: '$10k-$20k', municipal: '$15k', dueDiligence: '$20k' } as const;
