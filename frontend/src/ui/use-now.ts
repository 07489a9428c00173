import { useEffect, useState } from 'react';

const minute = 60_000;

/** Returns the time in milliseconds since the epoch. It is updated every minute. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minute);
    return () => clearInterval(timer);
  }, []);
  return now;
}
