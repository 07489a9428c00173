import { brand, palette } from '@dune-tide/domain/brand';
import { staffPaths, staffShell } from '../src/app/staff-pages.ts';
import { loadFailure } from '../src/ui/load-failure.ts';
import { escapeHtml } from './escape-html.ts';

/** What the server answers with for other paths than the file's own name (api/src/site/site.ts). */
export const routes = { file: '.routes.json', content: JSON.stringify({ [staffShell.file]: staffPaths }) };

/** The ground of the page before the application paints it, and what stands there when it cannot (src/app/main.ts). */
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

/** For as long as nothing is painted: the very script that would say what is missing may be what did not arrive. */
const late = `<p id="late">This page is taking a long time to load, or could not be loaded. <a href="">${escapeHtml(loadFailure.link)}</a></p>`;

const notice = `<noscript><p>The staff area of ${escapeHtml(brand.name)} needs JavaScript.</p></noscript>`;

/**
 * The page that the staff area starts from. It holds no content: nothing of it is for those without a session.
 * @param shell - the site's shell
 * @param scripts - what the staff area loads in any case, as paths
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
