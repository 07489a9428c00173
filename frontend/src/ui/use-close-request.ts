import { useEffect, useEffectEvent } from 'react';

/** As far as it is used here; TypeScript does not know it yet. */
declare class CloseWatcher {
  addEventListener(type: 'close', listener: () => void): void;
  destroy(): void;
}

/**
 * Closes what stands over the page when the browser is asked to, which phones do by going back: the page itself stays.
 * Where the browser has no such thing (HTML, "Close requests and close watchers"), going back leaves the page as ever.
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
