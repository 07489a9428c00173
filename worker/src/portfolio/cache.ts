import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissingFile } from '@dune-tide/platform/system-error';
import { renderPortfolio } from './render.ts';
import { portfolioVersion } from './version.ts';

/** The portfolio of one site, rendered once per content version. */
export interface PortfolioCache {
  /**
   * Returns the PDF.
   * @throws any error of the rendering; the next call renders again
   */
  read(): Promise<Buffer>;
}

export interface PortfolioCacheOptions {
  /** The site's address. */
  readonly publicUrl: string;
  /** Called if the file cannot be read or written. The portfolio is then served from memory. */
  readonly onFileError: (error: unknown) => void;
  /** Renders the PDF; {@link renderPortfolio} by default. */
  readonly render?: (publicUrl: string) => Promise<Buffer>;
}

/** Returns the line after the PDF in its file: a comment with a checksum, which shows whether the file is complete. */
const seal = (pdf: Buffer): Buffer => Buffer.from(`%${createHash('sha256').update(pdf).digest('hex')}\n`);

const sealLength = seal(Buffer.alloc(0)).length;

/** Returns the PDF in a file, or undefined if the file is damaged. */
function unsealed(file: Buffer): Buffer | undefined {
  const pdf = file.subarray(0, -sealLength);
  return file.subarray(-sealLength).equals(seal(pdf)) ? pdf : undefined;
}

/**
 * Caches the portfolio in memory and in a file, so that neither an email nor a restart renders it again.
 * @param directory - the directory of the file; created if it is missing
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

  /** Replaces the file atomically, because other workers may write it concurrently. */
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
