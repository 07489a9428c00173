interface PressedKeys {
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Returns whether a click with these keys makes the browser open a new tab or window, or download the link. */
export function opensElsewhere({ metaKey, ctrlKey, shiftKey, altKey }: PressedKeys): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}
