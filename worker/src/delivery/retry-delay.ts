/** With the delays below this is four to five days, as RFC 5321 §4.5.4.1 advises. */
export const maxAttempts = 56;

const firstDelaySeconds = 15;
const longestDelaySeconds = 3 * 60 * 60;
const longestOutageDelaySeconds = 30;

/** Between half and all of a delay, so that mails which failed together do not come back together. */
const withJitter = (seconds: number, random: () => number): number => seconds * (0.5 + random() / 2);

/**
 * How long a mail waits for its next try.
 * @param attempts - tries so far, at least 1
 */
export function retryDelaySeconds(attempts: number, random: () => number = Math.random): number {
  return withJitter(Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** (attempts - 1)), random);
}

/** How long a mail waits when the mail server is away. */
export function outageDelaySeconds(random: () => number = Math.random): number {
  return withJitter(longestOutageDelaySeconds, random);
}
