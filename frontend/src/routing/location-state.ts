import { useLocation } from 'react-router-dom';

/** What the site's pages leave in the history beside an address. */
export interface LocationState {
  /** Of a lead: behind it lies the list that it was opened from, to which closing it leads. */
  readonly isOpenedFromList?: boolean;
  /** Of a recipe: the filter that the list had when one went on from it. */
  readonly search?: string;
  /** Of the list of recipes: the address was written by what is typed. A link to the page's own address replaces it too. */
  readonly isTypedFilter?: boolean;
  /** Of the login page: somebody was signed in until now. */
  readonly hasSessionEnded?: boolean;
  /** Of the login page: one was led here because nobody is signed in, or by Logout. */
  readonly isSignedOut?: boolean;
}

export const openedFromList: LocationState = { isOpenedFromList: true };
export const sessionHasEnded: LocationState = { hasSessionEnded: true, isSignedOut: true };
export const signedOut: LocationState = { isSignedOut: true };

/** What stands beside the address that is shown. */
export function useLocationState(): LocationState {
  const { state } = useLocation() as { readonly state: LocationState | null };
  return state ?? {};
}
