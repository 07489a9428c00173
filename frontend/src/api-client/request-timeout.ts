/** How long a request may take, in milliseconds; after that the form shows that it failed (specification §9). */
export const requestTimeout = 30_000;
