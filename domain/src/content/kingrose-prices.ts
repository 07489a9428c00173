/** The price points of specification §1; apart, so that the page's head does not bring all of its texts along. */
export const kingrosePrices = { tools: '$10k-$20k', municipal: '$15k', dueDiligence: '$20k' } as const;
