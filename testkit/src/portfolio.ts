import { createPortfolioCache } from '@dune-tide/worker/portfolio/cache';

/** The PDF of tests that do not depend on its pages, because rendering the real one takes seconds. */
export const smallPortfolio = Buffer.from(`%PDF-1.7\n${'% a small portfolio\n'.repeat(1_000)}%%EOF\n`);

/** Stores the small portfolio where a worker with this folder and this address of the site reads its own. */
export async function storeSmallPortfolio(directory: string, publicUrl: string): Promise<void> {
  const cache = createPortfolioCache(directory, {
    publicUrl,
    render: async () => smallPortfolio,
    onFileError(error) {
      throw error;
    },
  });
  await cache.read();
}
