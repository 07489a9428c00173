import { allForms } from '@dune-tide/domain/forms/all-forms';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from './build/compression.ts';
import { fonts } from './build/fonts.ts';
import { noCodeFromStrings } from './build/no-code-from-strings.ts';
import { prerenderedPages } from './build/prerendered-pages.ts';
import { shellTexts } from './build/shell-texts.ts';
import { siteFiles } from './build/site-files.ts';
import { validators } from './build/validators.ts';
import { notFoundPage, pages } from './src/app/pages.ts';

export default defineConfig({
  plugins: [
    react(),
    shellTexts(),
    fonts(),
    validators(allForms),
    noCodeFromStrings(),
    siteFiles(pages),
    prerenderedPages([...pages, notFoundPage], {
      plugins: [react(), validators(allForms)],
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
    }),
    compression(),
  ],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  server: { proxy: { '/api': 'http://localhost:8080' } },
  build: {
    target: 'es2022',
    sourcemap: false,
    // Everything under /assets carries its hash in its name, so the server may let it be cached for ever.
    assetsDir: 'assets',
    // A data: font or image would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes with React's releases only stays in the visitor's cache over ours.
        codeSplitting: { groups: [{ name: 'react-dom', test: /node_modules\/(?:react-dom|scheduler)\// }] },
      },
    },
  },
});
