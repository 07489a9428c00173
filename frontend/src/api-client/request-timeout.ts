/**
 * How long a request may take, in milliseconds; after that the form shows that it failed
 * (docs/PRODUCT.md, "Form behaviour").
 */
export const requestTimeout = 30_000;
