import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installTools } from '@dune-tide/testkit/services/services';
import { testService } from '@dune-tide/testkit/environment';
import { freePort } from '@dune-tide/local/ports';
import { startStack } from '@dune-tide/local/stack';
import { say, showProgress } from './harness/report.ts';

/*
 * Runs Lighthouse on every public page of the whole product with its mobile preset: a phone on a slow network. Prints a
 * table and fails if a page misses a goal. `node bench/src/web.ts [path …]` measures only some pages.
 */

const runsPerPage = 3;
const host = '127.0.0.1';

const goals = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof goals;
const categories = Object.keys(goals) as Category[];
const largestShift = 0.01;

interface Measurement {
  readonly scores: Readonly<Record<Category, number>>;
  /** Cumulative layout shift. */
  readonly shift: number;
  /** In milliseconds. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  readonly blocking: number;
  /** The audits that lost points, without those of the category performance. */
  readonly failed: readonly string[];
}

const chromeFlags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Not one URL, because knip would treat it as an import of this workspace.
const lighthouse = join(
  fileURLToPath(new URL('../lighthouse', import.meta.url)),
  'node_modules/lighthouse/cli/index.js',
);
const runLimitMs = 120_000;
const largestReportBytes = 64 * 1024 * 1024;

/** The used part of Lighthouse's report. */
interface Report {
  readonly runtimeError?: { readonly code: string; readonly message: string };
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly numericValue?: number }>>;
  readonly categories: Readonly<
    Record<
      string,
      { readonly score: number | null; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
}

/** Runs Lighthouse in a new browser, so that nothing is cached. */
async function reportOn(url: string): Promise<Report> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      lighthouse,
      url,
      '--quiet',
      '--output=json',
      '--no-enable-error-reporting',
      `--only-categories=${categories.join(',')}`,
      `--chrome-flags=${chromeFlags.join(' ')}`,
    ],
    {
      env: { ...process.env, CHROME_PATH: testService('CHROMIUM') },
      timeout: runLimitMs,
      maxBuffer: largestReportBytes,
    },
  ).catch((error: unknown) => {
    // Lighthouse also exits with 1 if it could not record a page. Its report has the reason.
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== '') {
      return { stdout: error.stdout };
    }
    throw error;
  });
  return JSON.parse(stdout) as Report;
}

/** @returns undefined if the run could not be recorded */
async function measureOnce(url: string): Promise<Measurement | undefined> {
  const report = await reportOn(url);
  // The browser's trace sometimes lacks its start, for reasons that do not depend on the page.
  if (report.runtimeError?.code === 'NO_NAVSTART') return undefined;
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`);
  const number = (audit: string): number => report.audits[audit]?.numericValue ?? Number.NaN;
  const score = (category: Category): number => Math.round((report.categories[category]?.score ?? 0) * 100);
  const judged = categories.filter((category) => category !== 'performance');
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      'best-practices': score('best-practices'),
      seo: score('seo'),
    },
    shift: number('cumulative-layout-shift'),
    firstPaint: number('first-contentful-paint'),
    largestPaint: number('largest-contentful-paint'),
    blocking: number('total-blocking-time'),
    failed: judged
      .flatMap((category) => report.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  };
}

/** Returns the run with the median performance, because other programs on the machine disturb single runs. */
async function measure(url: string): Promise<Measurement> {
  const runs: Measurement[] = [];
  for (let run = 0; run < 2 * runsPerPage && runs.length < runsPerPage; run += 1) {
    const measurement = await measureOnce(url);
    if (measurement) runs.push(measurement);
  }
  const middle = runs.toSorted((a, b) => a.scores.performance - b.scores.performance)[Math.floor(runs.length / 2)];
  if (!middle) throw new Error(`No run of ${url} could be recorded`);
  return middle;
}

function missedGoals({ scores, shift, failed }: Measurement): readonly string[] {
  return [
    ...categories.filter((category) => scores[category] < goals[category]),
    ...(shift < largestShift ? [] : ['layout shift']),
    ...failed,
  ];
}

/** Returns the paths of the sitemap, which lists all public pages. */
async function publicPaths(siteUrl: string): Promise<string[]> {
  const response = await fetch(`${siteUrl}/sitemap.xml`, { signal: AbortSignal.timeout(10_000) });
  return [...(await response.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
}

const column = (text: string | number, width: number): string => String(text).padStart(width);

await installTools();
const dataDirectory = await mkdtemp(join(tmpdir(), 'studio-bench-'));
const stack = await startStack({
  dataDirectory,
  host,
  ports: { site: await freePort(0, host), inbox: await freePort(0, host), smtp: 0, database: 0 },
  staffEmail: 'staff@example.com',
  admin: { username: 'staff', password: 'a password of the benchmark' },
  say: () => undefined,
  onBroken: (reason) => {
    throw new Error(reason);
  },
});
let hasMissed = false;
try {
  const chosen = process.argv.slice(2);
  const paths = chosen.length > 0 ? chosen : await publicPaths(stack.siteUrl);
  say(
    `${'page'.padEnd(28)}${['perf', 'a11y', 'best', 'seo'].map((name) => column(name, 6)).join('')}` +
      `${column('CLS', 8)}${column('FCP ms', 8)}${column('LCP ms', 8)}${column('TBT ms', 8)}`,
  );
  for (const path of paths) {
    showProgress(`Measuring ${path}`);
    const found = await measure(stack.siteUrl + path);
    const missed = missedGoals(found);
    hasMissed ||= missed.length > 0;
    say(
      path.padEnd(28) +
        categories.map((category) => column(found.scores[category], 6)).join('') +
        column(found.shift.toFixed(4), 8) +
        [found.firstPaint, found.largestPaint, found.blocking].map((time) => column(Math.round(time), 8)).join('') +
        (missed.length > 0 ? `   misses ${missed.join(', ')}` : ''),
    );
  }
} finally {
  await stack.stop();
  await rm(dataDirectory, { recursive: true, force: true });
}
process.exitCode = hasMissed ? 1 : 0;
