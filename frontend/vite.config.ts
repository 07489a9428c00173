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
import { publishedNotFoundPage, publishedPages } from './build/published-pages.ts';

/*
 * Groups scripts by the time at which they are needed. With automatic splitting, the first interaction would load forty
 * files, many below a kilobyte, and browsers load six concurrently. A group includes the imports that no earlier group
 * has.
 */
const chunks = [
  { name: 'index', test: /src\/app\/main\./ },
  // Changes only with React's releases, so it stays in the visitor's cache across ours.
  { name: 'react-dom', test: /node_modules\/(?:react-dom|scheduler)\// },
  // Separate from `start`, so that no step of the start takes long.
  { name: 'router-and-theme', test: /node_modules\/react-router|src\/app\/theme\./ },
  // Pages and forms share `visuallyHidden`. In a group of the forms, it would make every page load their code.
  { name: 'start', test: /src\/app\/start\.|@mui\/utils\/.*visuallyHidden/ },
  { name: 'toasts', test: /src\/toasts\// },
  {
    name: 'page-parts',
    test: /src\/(?:ui\/(?:ArtPicture|FormGuide|SectionHead)|content\/form-guides|layouts\/site\/BackToHome|form\/lazy-form|art\/shapes|forms\/option)/,
  },
  // After the parts of pages, because a form shows its guide again; otherwise every page would load the form kit.
  { name: 'form-kit', test: /src\/(?:form\/(?!lazy-form)|api-client\/submit-form|forms\/fields)/ },
  // After the form kit, which shares parts of the API client with it; otherwise every form would load Redux.
  { name: 'store', test: /src\/store\// },
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
    siteFiles(publishedPages),
    prerenderedPages([...publishedPages, publishedNotFoundPage], {
      plugins: [react(), validators(allForms)],
      ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
    }),
    compression(),
  ],
  worker: { plugins: () => [withoutDocument(), noNewerBuiltIns()] },
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  // The build lists no files, because `npm run weigh` does. `npm run dev` must print its address.
  logLevel: command === 'build' ? 'warn' : 'info',
  // The API compares Origin and Host, so the proxy must not change the host.
  server: { proxy: { '/api': { target: `http://localhost:${process.env['PORT'] ?? 8080}`, changeOrigin: false } } },
  build: {
    target: buildTarget,
    sourcemap: false,
    // Files in /assets have a hash in their names, so the server lets browsers cache them forever.
    assetsDir: 'assets',
    // A `data:` font or image would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Emotion imports this package without using it.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/hoist-non-react-statics\//, sideEffects: false }] },
      output: {
        codeSplitting: { groups: [...chunks] },
      },
    },
  },
}));
