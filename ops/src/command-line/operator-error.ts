/** Thrown with one line that tells the operator what is wrong. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
