import { useEffect, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { type LocationState, useLocationState } from '../../routing/location-state.ts';
import { readFilter, type RecipeFilter, writeFilter } from './recipe-filter.ts';

/** Browsers refuse an address that changes with each letter typed. */
const writeDelay = 250;

const typed: LocationState = { isTypedFilter: true };

/**
 * The filter of the list, which lives in the address as well, so that it survives a reload and can be passed on.
 * @returns the filter as it is typed, and how to change it
 */
export function useRecipeFilter(): readonly [RecipeFilter, (filter: RecipeFilter) => void] {
  const { key, search, pathname } = useLocation();
  const { isTypedFilter } = useLocationState();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [filter, setFilter] = useState(() => readFilter(search));
  const [seen, setSeen] = useState(key);

  // Somebody went on or back, or followed a link to this very page. What is typed meanwhile stays.
  if (key !== seen) {
    setSeen(key);
    if (navigationType !== NavigationType.Replace || !isTypedFilter) setFilter(readFilter(search));
  }

  const wanted = writeFilter(filter);
  useEffect(() => {
    if (wanted === search) return undefined;
    const timer = setTimeout(() => {
      // The address goes ahead of its page: what is written while that is on its way would undo the link to it.
      if (currentKey() === key) void navigate(pathname + wanted, { replace: true, state: typed });
    }, writeDelay);
    return () => clearTimeout(timer);
  }, [wanted, search, pathname, key, navigate]);

  return [filter, setFilter];
}

/** React Router's key of the entry that the address bar shows. */
function currentKey(): unknown {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null && 'key' in state ? state.key : 'default';
}
