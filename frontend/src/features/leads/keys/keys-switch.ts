import { useSyncExternalStore } from 'react';
import type { LastingEntry } from '../../../ui/lasting-choices.ts';

/** The entry of the browser's storage that turns the keys off. */
const storageKey: LastingEntry = 'lead-keys';

const listeners = new Set<() => void>();

/** Whether the keys work in this browser if it has no storage. */
let isOnHere = true;

/** Returns whether single letters act as keys (WCAG 2.1.4). */
export function areKeysOn(): boolean {
  try {
    return window.localStorage.getItem(storageKey) !== 'off';
  } catch {
    // The user's settings block the storage.
    return isOnHere;
  }
}

/** Turns the keys on or off in this browser. */
export function switchKeys(isOn: boolean): void {
  isOnHere = isOn;
  try {
    if (isOn) window.localStorage.removeItem(storageKey);
    else window.localStorage.setItem(storageKey, 'off');
  } catch {
    // The choice then lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns whether the keys are on, and renders again when this tab switches them. */
export const useAreKeysOn = (): boolean => useSyncExternalStore(subscribe, areKeysOn);
