import type { Lead } from '@dune-tide/domain/responses/lead';
import { Highlight } from './Highlight.tsx';
import { nameParts } from './lead-labels.ts';

/**
 * The lead's name. Its parts are isolated, so that they cannot change each other's direction. The first part sets the
 * direction of the whole name, which it could not do as a `<bdi>`.
 */
export function LeadName({ lead }: { readonly lead: Lead }) {
  const [first = '', last] = nameParts(lead);
  return (
    <bdi>
      <Part>{first}</Part>
      {last !== undefined && (
        <>
          {' '}
          <Part>{last}</Part>
        </>
      )}
    </bdi>
  );
}

function Part({ children }: { readonly children: string }) {
  return (
    <span style={{ unicodeBidi: 'plaintext' }}>
      <Highlight text={children} />
    </span>
  );
}
