import { brand } from '@dune-tide/domain/brand';

/**
 * The title of a page of the staff area, for the browser's tab.
 * @param name - of the page, or of what it shows
 */
export const staffTitle = (name: string): string => `${name} – ${brand.name} Admin`;
