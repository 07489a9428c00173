/** Time limit of a request, in milliseconds; after it the form shows a failure (docs/PRODUCT.md, "Form behaviour"). */
export const requestTimeout = 30_000;
