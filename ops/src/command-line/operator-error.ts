/** An error whose message is shown to the operator without a stack trace. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
