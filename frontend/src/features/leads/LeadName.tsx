import type { Lead } from './lead.ts';
import { nameParts } from './lead-labels.ts';

/**
 * The lead's own name. One part cannot turn the other round, and the first says from which side they are read: not
 * `<bdi>`, which would hide that from the name as a whole.
 */
export function LeadName({ lead }: { readonly lead: Lead }) {
  const [first, last] = nameParts(lead);
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
  return <span style={{ unicodeBidi: 'plaintext' }}>{children}</span>;
}
