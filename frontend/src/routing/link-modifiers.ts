interface PressedKeys {
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Returns whether the browser follows the link itself, into a new tab or window or as a download. */
export function opensElsewhere({ metaKey, ctrlKey, shiftKey, altKey }: PressedKeys): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}
