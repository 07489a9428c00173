import { useEffect, useEffectEvent } from 'react';
import { pageId } from '../../../styles/layout-constants.ts';
import { areKeysOn } from './keys-switch.ts';

/** The keys of the leads page in the order of the list that `?` shows (docs/PRODUCT.md, "Keys"). */
export const leadKeys = {
  next: { key: 'j', label: 'Next lead' },
  previous: { key: 'k', label: 'Previous lead' },
  open: { key: 'Enter', label: 'Open the lead' },
  email: { key: 'e', label: 'Write an email' },
  status: { key: 's', label: 'Change the status' },
  assign: { key: 'a', label: 'Choose the owner' },
  assignToMe: { key: 'm', label: 'Assign to me' },
  note: { key: 'n', label: 'Write a note' },
  select: { key: 'x', label: 'Select' },
  search: { key: '/', label: 'Search' },
  help: { key: '?', label: 'Show the keys' },
  send: { key: 'Ctrl+Enter', label: 'Send the email, or add the note' },
  sendAndNext: { key: 'Ctrl+Shift+Enter', label: 'Send the email and open the next lead' },
} as const;

/** Enter follows the focused link without a handler, and the forms handle the keys that send. */
type Action = Exclude<keyof typeof leadKeys, 'open' | 'send' | 'sendAndNext'>;

export type KeyActions = Readonly<Partial<Record<Action, () => void>>>;

const typing = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';

/** Returns the key of an event, also from a keyboard without Latin letters, e.g. an Arabic one. */
function keyOf({ key, code, shiftKey }: KeyboardEvent): string | undefined {
  if (key === '?' || key === '؟') return '?';
  if (key === '/') return key;
  if (shiftKey) return undefined;
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^[\x20-\x7e]$/.test(key) || key.length > 1 ? undefined : /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
}

function isForKeys({ target, defaultPrevented, isComposing, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey || !areKeysOn()) return false;
  if (target instanceof Element && target.closest(typing)) return false;
  // An open menu, and a dialog above the lead's dialog, use the keys themselves.
  return document.querySelector('[role="menu"]') === null && document.querySelectorAll('[role="dialog"]').length < 2;
}

/**
 * Calls an action when its key is pressed, unless a field has the focus, a menu is open, or the keys are off.
 * @param place - `page`: not while a dialog covers the page
 */
export function useLeadKeys(place: 'page' | 'dialog', actions: KeyActions): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isForKeys(event)) return;
    if (place === 'page' && document.getElementById(pageId)?.inert === true) return;
    const pressed = keyOf(event);
    const name = (Object.keys(actions) as Action[]).find((each) => leadKeys[each].key === pressed);
    if (name === undefined || (event.repeat && name !== 'next' && name !== 'previous')) return;
    event.preventDefault();
    actions[name]?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
