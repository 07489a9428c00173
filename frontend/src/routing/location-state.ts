import { useLocation } from 'react-router-dom';

/** State that the pages store in a history entry. */
export interface LocationState {
  /** For a lead: whether it was opened from the list. The list is the previous entry, and closing the lead goes back. */
  readonly isOpenedFromList?: boolean;
  /** For a lead: whether it was opened to write a note. */
  readonly isForNote?: boolean;
  /** For a lead: whether it was opened to write a reply. */
  readonly isForReply?: boolean;
  /** For a recipe: the filter of the list that it was opened from. */
  readonly search?: string;
  /** For a list: how its filter set the URL; undefined after a link. */
  readonly filterChange?: 'typed' | 'chosen';
  /** For the sign-in page: whether a session has just ended. */
  readonly hasSessionEnded?: boolean;
  /** For the sign-in page: whether the user is known to be signed out, after a redirect or Logout. */
  readonly isSignedOut?: boolean;
}

export const openedFromList: LocationState = { isOpenedFromList: true };
export const openedForNote: LocationState = { isOpenedFromList: true, isForNote: true };
export const openedForReply: LocationState = { isForReply: true };
export const sessionHasEnded: LocationState = { hasSessionEnded: true, isSignedOut: true };
export const signedOut: LocationState = { isSignedOut: true };

/** Returns the state of the current history entry. */
export function useLocationState(): LocationState {
  const { state } = useLocation() as { readonly state: LocationState | null };
  return state ?? {};
}
