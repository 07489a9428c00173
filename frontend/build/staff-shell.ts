import { brand, palette } from '@dune-tide/domain/brand';
import { staffPaths, staffShell } from '../src/app/staff-pages.ts';
import { loadFailure } from '../src/ui/load-failure.ts';
import { escapeHtml } from './escape-html.ts';

/** Maps paths to the file that the server responds with if the names differ (api/src/site/site.ts). */
export const routes = { file: '.routes.json', content: JSON.stringify({ [staffShell.file]: staffPaths }) };

/** The page's background before the application renders, and the style of the error (src/app/main.ts). */
const styles = `<style>
      html { background: ${palette.paper}; color: ${palette.night} }
      body { margin: 0 }
      #root > [role='alert'], #late, noscript > p { margin: 0; padding: 24px; font: 0.9375rem/1.55 'Instrument Sans', 'Instrument Sans Fallback', sans-serif }
      #root > [role='alert'] a, #late a { color: inherit; text-underline-offset: 0.2em }
      #late { display: none }
      @media (scripting: enabled) { #root:empty + #late { display: block; visibility: hidden; animation: late 0s 10s forwards } }
      @keyframes late { to { visibility: visible } }
      @media (prefers-color-scheme: dark) { html { background: ${palette.night}; color: ${palette.paper} } }
    </style>`;

/** Shown while the page is empty, because the script that shows errors may itself have failed to load. */
const late = `<p id="late">This page is taking a long time to load, or could not be loaded. <a href="">${escapeHtml(loadFailure.link)}</a></p>`;

const notice = `<noscript><p>The staff area of ${escapeHtml(brand.name)} needs JavaScript.</p></noscript>`;

/**
 * Returns the page that starts the staff area. It has no content, because all content requires a session.
 * @param shell - the site's shell
 * @param scripts - the paths of the scripts that the staff area always loads
 */
export function staffShellPage(shell: string, scripts: readonly string[]): string {
  const head = [
    '<meta name="robots" content="noindex" />',
    styles,
    ...scripts
      .filter((path) => !shell.includes(path))
      .map((path) => `<link rel="modulepreload" crossorigin href="${path}">`),
  ].join('\n    ');
  return shell
    .replace(/<title>.*?<\/title>/, () => `<title>${escapeHtml(staffShell.title)}</title>`)
    .replace('</head>', () => `  ${head}\n  </head>`)
    .replace('<div id="root"></div>', (root) => `${root}${late}`)
    .replace('</body>', () => `  ${notice}\n  </body>`);
}
