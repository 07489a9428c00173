import { brand } from '@dune-tide/domain/brand';

/** The file name of the attachment, in characters that every mail program accepts. */
export const portfolioFileName: string = `${brand.name.replaceAll('&', 'and').replaceAll(/[^A-Za-z0-9]+/g, '-')}-Portfolio.pdf`;
