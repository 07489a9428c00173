import { useLocation } from 'react-router-dom';

/** State that the pages store in a history entry. */
export interface LocationState {
  /** Of a lead: it was opened from the list, which is the previous entry, and closing it goes back there. */
  readonly isOpenedFromList?: boolean;
  /** Of a recipe: the filter of the list that it was opened from. */
  readonly search?: string;
  /** Of the recipe list: typing in the filter wrote the URL. A link to the page's own URL replaces it as well. */
  readonly isTypedFilter?: boolean;
  /** Of the sign-in page: a session has just ended. */
  readonly hasSessionEnded?: boolean;
  /** Of the sign-in page: the user was redirected because there is no session, or used Logout. */
  readonly isSignedOut?: boolean;
}

export const openedFromList: LocationState = { isOpenedFromList: true };
export const sessionHasEnded: LocationState = { hasSessionEnded: true, isSignedOut: true };
export const signedOut: LocationState = { isSignedOut: true };

/** Returns the state of the current history entry. */
export function useLocationState(): LocationState {
  const { state } = useLocation() as { readonly state: LocationState | null };
  return state ?? {};
}
