import { allForms } from '@dune-tide/domain/forms/all-forms';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from './build/compression.ts';
import { fetchedImports } from './build/fetched-imports.ts';
import { fonts } from './build/fonts.ts';
import { noNewerBuiltIns } from './build/newer-built-ins.ts';
import { noCodeFromStrings } from './build/no-code-from-strings.ts';
import { buildTarget } from './build/oldest-browsers.ts';
import { prerenderedPages } from './build/prerendered-pages.ts';
import { shellTexts } from './build/shell-texts.ts';
import { siteFiles } from './build/site-files.ts';
import { validators } from './build/validators.ts';
import { withoutDocument } from './build/without-document.ts';
import { notFoundPage, pages } from './src/app/pages.ts';

/*
 * Scripts by when they are needed. Shared code alone would decide for forty of them at the first touch, many below a
 * kilobyte, and browsers ask for six at a time. Each takes along what it imports and none above it has.
 */
const chunks = [
  { name: 'index', test: /src\/app\/main\./ },
  // What changes with React's releases only stays in the visitor's cache over ours.
  { name: 'react-dom', test: /node_modules\/(?:react-dom|scheduler)\// },
  // On its own, since the budget has no room for it beside the rest of the start.
  { name: 'router', test: /node_modules\/react-router/ },
  { name: 'start', test: /src\/app\/start\./ },
  { name: 'store', test: /src\/(?:store|toasts)\// },
  { name: 'form-kit', test: /src\/(?:form\/(?!lazy-form)|api-client\/submit-form|forms\/fields)/ },
  {
    name: 'page-parts',
    test: /src\/(?:ui\/(?:ArtPicture|SectionHead)|layouts\/site\/BackToHome|form\/lazy-form|art\/shapes|forms\/option)/,
  },
] as const;

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    shellTexts(),
    fonts(),
    fetchedImports(),
    validators(allForms),
    noCodeFromStrings(),
    noNewerBuiltIns(),
    siteFiles(pages),
    prerenderedPages([...pages, notFoundPage], {
      plugins: [react(), validators(allForms)],
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
    }),
    compression(),
  ],
  worker: { plugins: () => [withoutDocument(), noNewerBuiltIns()] },
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  // What a build is made of is for `npm run weigh` to say. `npm run dev` says its address.
  logLevel: command === 'build' ? 'warn' : 'info',
  // The API compares Origin and Host, so both stay those of the page.
  server: { proxy: { '/api': { target: `http://localhost:${process.env['PORT'] ?? 8080}`, changeOrigin: false } } },
  build: {
    target: buildTarget,
    sourcemap: false,
    // Everything under /assets carries its hash in its name, so the server may let it be cached for ever.
    assetsDir: 'assets',
    // A data: font or image would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups: [...chunks] },
      },
    },
  },
}));
