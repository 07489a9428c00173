interface PressedKeys {
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Whether a press on a link is the browser's to follow: into a new tab or window, or as a download. */
export function opensElsewhere({ metaKey, ctrlKey, shiftKey, altKey }: PressedKeys): boolean {
  return metaKey || ctrlKey || shiftKey || altKey;
}
