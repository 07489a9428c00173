import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense } from 'react';
import { LoadBoundary } from '../../components/LoadBoundary.tsx';

/** The Markdown reader is larger than the rest of the page, which lists without it. */
const Instructions = lazy(() => import('./Instructions.tsx'));

/** Instructions, rendered. */
export function MarkdownView({ text }: { readonly text: string }) {
  return (
    <LoadBoundary>
      <Suspense fallback={<Waiting />}>
        <Instructions text={text} />
      </Suspense>
    </LoadBoundary>
  );
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
