import { useEffect, useEffectEvent } from 'react';

/** The used parts of `CloseWatcher`, which TypeScript does not declare yet. */
declare class CloseWatcher {
  addEventListener(type: 'close', listener: () => void): void;
  destroy(): void;
}

/**
 * Closes an overlay on the browser's close request, e.g. the Back gesture of phones, without leaving the page. In
 * browsers without close watchers (HTML, "Close requests and close watchers"), Back leaves the page.
 */
export function useCloseRequest(isOpen: boolean, close: () => void): void {
  const closeIt = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen || !('CloseWatcher' in window)) return undefined;
    const watcher = new CloseWatcher();
    watcher.addEventListener('close', () => closeIt());
    return () => watcher.destroy();
  }, [isOpen]);
}
