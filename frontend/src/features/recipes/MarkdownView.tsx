import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense, useEffect, useState } from 'react';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import { shortText, tryReading } from './try-reading.ts';

/** Lazy, because the Markdown parser is larger than the rest of the page, and lists do not need it. */
const Instructions = lazy(() => import('./Instructions.tsx'));

export function MarkdownView({ text }: { readonly text: string }) {
  const isReadable = useIsReadable(text);
  return (
    <LoadBoundary>
      <Suspense fallback={<Waiting />}>
        {isReadable === undefined ? <Waiting /> : <Instructions text={text} isReadable={isReadable} />}
      </Suspense>
    </LoadBoundary>
  );
}

/** @returns undefined until the check has finished */
function useIsReadable(text: string): boolean | undefined {
  const isShort = text.length <= shortText;
  const [tried, setTried] = useState<{ readonly text: string; readonly isReadable: boolean }>();
  useEffect(() => {
    if (isShort) return undefined;
    return tryReading(text, (isReadable) => setTried({ text, isReadable }));
  }, [text, isShort]);
  if (isShort) return true;
  return tried?.text === text ? tried.isReadable : undefined;
}

function Waiting() {
  return (
    <div aria-hidden="true">
      {['92%', '100%', '84%', '96%', '60%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
