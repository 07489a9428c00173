import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '@dune-tide/platform/system-error';
import { renderPortfolio } from './render.ts';
import { portfolioVersion } from './version.ts';

/** The portfolio of one site, rendered once per content version. */
export interface PortfolioCache {
  /**
   * @returns the PDF
   * @throws what rendering throws; the next call tries again
   */
  read(): Promise<Buffer>;
}

export interface PortfolioCacheOptions {
  /** The site's own address. */
  readonly publicUrl: string;
  /** Hears that the file could not be read or written; the portfolio is served from memory all the same. */
  readonly onFileError: (error: unknown) => void;
  /** Makes the PDF; {@link renderPortfolio} when left out. */
  readonly render?: (publicUrl: string) => Promise<Buffer>;
}

/** The line after the PDF in its file: a comment that tells whether the file is whole. */
const seal = (pdf: Buffer): Buffer => Buffer.from(`%${createHash('sha256').update(pdf).digest('hex')}\n`);

const sealLength = seal(Buffer.alloc(0)).length;

/** The PDF of a file, or nothing when a byte of it is not as it was written. */
function unsealed(file: Buffer): Buffer | undefined {
  const pdf = file.subarray(0, -sealLength);
  return file.subarray(-sealLength).equals(seal(pdf)) ? pdf : undefined;
}

/**
 * Keeps the portfolio in memory and as a file, so that neither a mail nor a restart renders it again.
 * @param directory - where the file is kept; made when it is missing
 * @param options - see {@link PortfolioCacheOptions}
 */
export function createPortfolioCache(
  directory: string,
  { publicUrl, render = renderPortfolio, onFileError }: PortfolioCacheOptions,
): PortfolioCache {
  const path = join(directory, `portfolio-${portfolioVersion(publicUrl)}.pdf`);
  let portfolio: Promise<Buffer> | undefined;

  async function readFromFile(): Promise<Buffer | undefined> {
    try {
      return unsealed(await readFile(path));
    } catch (error) {
      if (!isMissingFile(error)) onFileError(error);
      return undefined;
    }
  }

  /** Other workers may write the same file at the same time: each writes its own and puts it in place whole. */
  async function writeToFile(pdf: Buffer): Promise<void> {
    const temporary = `${path}.${randomUUID()}`;
    try {
      await mkdir(directory, { recursive: true });
      await writeFile(temporary, Buffer.concat([pdf, seal(pdf)]));
      await rename(temporary, path);
    } catch (error) {
      onFileError(error);
      await rm(temporary, { force: true }).catch(onFileError);
    }
  }

  async function load(): Promise<Buffer> {
    const kept = await readFromFile();
    if (kept !== undefined) return kept;
    const rendered = await render(publicUrl);
    await writeToFile(rendered);
    return rendered;
  }

  return {
    read() {
      portfolio ??= load().catch((error: unknown) => {
        portfolio = undefined;
        throw error;
      });
      return portfolio;
    },
  };
}
