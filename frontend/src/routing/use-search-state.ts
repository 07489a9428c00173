import { useEffect, useState } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import { type LocationState, useLocationState } from './location-state.ts';

/** Browsers throttle URL changes, so not each keystroke may change the URL. In milliseconds. */
const typingDelay = 250;

/**
 * Keeps a state in the query string, so that it survives a reload and can be shared. Back undoes the last choice, or
 * the text typed since then.
 * @param read - returns the state of a query string, which may come from anyone
 * @param write - returns the query string of a state
 * @returns the state as typed; and its setter, with the time in milliseconds after which the URL changes, 0
 *   for a choice
 */
export function useSearchState<State>(
  read: (search: string) => State,
  write: (state: State) => string,
): readonly [State, (state: State, delay?: number) => void] {
  const { key, search, pathname } = useLocation();
  const location = useLocationState();
  const navigationType = useNavigationType();
  const navigate = useNavigate();
  const [{ state, delay }, setState] = useState(() => ({ state: read(search), delay: typingDelay }));
  const [seen, setSeen] = useState(key);

  // The user navigated to another entry or followed a link to this page. Text typed in the meantime stays.
  if (key !== seen) {
    setSeen(key);
    if (navigationType === NavigationType.Pop || location.filterChange === undefined) {
      setState({ state: read(search), delay });
    }
  }

  const wanted = write(state);
  const isWritten = wanted === write(read(search));
  useEffect(() => {
    if (isWritten) return undefined;
    const timer = setTimeout(() => {
      // The URL may already be that of the next page. Replacing it would undo that navigation.
      if (currentKey() !== key) return;
      const filterChange = delay > 0 ? 'typed' : 'chosen';
      const entry: LocationState = { ...location, filterChange };
      const replace = filterChange === 'typed' && location.filterChange === 'typed';
      void navigate(pathname + wanted, { replace, state: entry });
    }, delay);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the state belongs to the key
  }, [isWritten, wanted, delay, pathname, key, navigate]);

  return [state, (changed, after = typingDelay) => setState({ state: changed, delay: after })];
}

/** Returns React Router's key of the current history entry. */
function currentKey(): unknown {
  const entry: unknown = history.state;
  return typeof entry === 'object' && entry !== null && 'key' in entry ? entry.key : 'default';
}
