import { useEffect, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { type LocationState, useLocationState } from '../../routing/location-state.ts';
import { readFilter, type RecipeFilter, writeFilter } from './recipe-filter.ts';

/** Browsers throttle URL changes, so not each keystroke may change the URL. In milliseconds. */
const writeDelay = 250;

const typed: LocationState = { isTypedFilter: true };

/**
 * Keeps the filter of the list in the URL, so that it survives a reload and can be shared.
 * @returns the filter as typed, and its setter
 */
export function useRecipeFilter(): readonly [RecipeFilter, (filter: RecipeFilter) => void] {
  const { key, search, pathname } = useLocation();
  const { isTypedFilter } = useLocationState();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [filter, setFilter] = useState(() => readFilter(search));
  const [seen, setSeen] = useState(key);

  // The user navigated to another entry or followed a link to this page. Text typed in the meantime stays.
  if (key !== seen) {
    setSeen(key);
    if (navigationType !== NavigationType.Replace || !isTypedFilter) setFilter(readFilter(search));
  }

  const wanted = writeFilter(filter);
  useEffect(() => {
    if (wanted === search) return undefined;
    const timer = setTimeout(() => {
      // The URL may already be that of the next page. Replacing it would undo that navigation.
      if (currentKey() === key) void navigate(pathname + wanted, { replace: true, state: typed });
    }, writeDelay);
    return () => clearTimeout(timer);
  }, [wanted, search, pathname, key, navigate]);

  return [filter, setFilter];
}

/** Returns React Router's key of the current history entry. */
function currentKey(): unknown {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'key' in state ? state.key : 'default';
}
