import type { Lead } from './lead.ts';
import { nameParts } from './lead-labels.ts';

/**
 * The lead's name. Isolated parts cannot change each other's direction, and the first part sets that of the whole.
 * If each part were a `<bdi>`, its direction could not set that of the whole.
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
