import { type To, useLocation } from 'react-router-dom';
import { leadPath } from '../../routing/staff-paths.ts';

/** Returns the function that returns the address of a lead, over the list with the page's filter. */
export function useLeadAddress(): (lead: { readonly id: string }) => To {
  const { search } = useLocation();
  return ({ id }) => ({ pathname: leadPath(id), search });
}
