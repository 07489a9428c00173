/** With the delays below, the attempts last four to five days, as RFC 5321 §4.5.4.1 recommends. */
export const maxAttempts = 56;

/** The maximum number of attempts if a permanent rejection says that it is temporary. They last one to two hours. */
export const maxDoubtfulAttempts = 10;

const firstDelaySeconds = 15;
const longestDelaySeconds = 3 * 60 * 60;
const longestOutageDelaySeconds = 5;
const longestLaneDelaySeconds = 30;

/** Shortens a delay by up to half, so that emails that failed together are not retried together. */
const withJitter = (seconds: number, random: () => number): number => seconds * (0.5 + random() / 2);

/**
 * Returns the delay before the next attempt, in seconds.
 * @param attempts - attempts so far, at least 1
 */
export function retryDelaySeconds(attempts: number, random: () => number = Math.random): number {
  return withJitter(Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** (attempts - 1)), random);
}

/**
 * Returns the delay of a follow-up on which an outage was noticed, in seconds. All others wait without a delay until the
 * outage ends.
 */
export function outageDelaySeconds(random: () => number = Math.random): number {
  return withJitter(longestOutageDelaySeconds, random);
}

/** Returns the delay while the retry lane is full, in seconds. */
export function laneDelaySeconds(random: () => number = Math.random): number {
  return withJitter(longestLaneDelaySeconds, random);
}
