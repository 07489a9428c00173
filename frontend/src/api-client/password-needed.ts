/** Asks the user for the password; resolves to whether the server has accepted it. */
type PasswordListener = () => Promise<boolean>;

let listener: PasswordListener | undefined;
let asking: Promise<boolean> | undefined;

/**
 * Asks the user for the password, once for all calls that wait for it.
 * @returns whether the server has accepted it
 */
export async function askForPassword(): Promise<boolean> {
  asking ??= listener?.().finally(() => void (asking = undefined));
  return (await asking) ?? false;
}

/**
 * Registers the listener for calls that need the password again.
 * @returns a function that removes the listener
 */
export function onPasswordNeeded(asks: PasswordListener): () => void {
  listener = asks;
  return () => {
    if (listener === asks) listener = undefined;
  };
}
