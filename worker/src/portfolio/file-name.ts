import { brand } from '@dune-tide/domain/brand';

/** What the attachment is called: the studio's name in letters that every mail program takes. */
export const portfolioFileName: string = `${brand.name.replaceAll('&', 'and').replaceAll(/[^A-Za-z0-9]+/g, '-')}-Portfolio.pdf`;
