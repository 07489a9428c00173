import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { SettingsError } from '@dune-tide/platform/settings';
import { expect } from 'chai';
import { site } from '../src/site/site.ts';
import { publicPaths, withTestApi, type TestResponse } from './support.ts';

const home = `<!doctype html><title>Home</title>${'<p>Dunes and tides.</p>'.repeat(50)}`;
const careers = '<!doctype html><title>Careers</title>';
const notFound = `<!doctype html><title>Page Not Found</title>${'<p>No such page.</p>'.repeat(50)}`;
const shell = '<!doctype html><title>Admin Portal</title>';
const script = `console.log('tide');\n`.repeat(100);

/** Builds a site like the real one, with compressed copies of its text files. */
async function buildSite(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'site-'));
  const texts: Readonly<Record<string, string>> = {
    'index.html': home,
    '404.html': notFound,
    'careers/index.html': careers,
    'kingrose.html': '<!doctype html><title>KingRose</title>',
    'assets/index-A1b2C3.js': script,
    'assets/index-D4e5F6.css': 'body { color: #13202B }'.repeat(20),
    'admin.html': shell,
    '.routes.json': JSON.stringify({ 'admin.html': ['/admin/login', '/admin/leads', '/admin/leads/:id'] }),
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '.env': 'SECRET=1',
    '.well-known/secret': 'SECRET=1',
    'assets/.hidden.js': 'SECRET=1',
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    await writeFile(`${path}.br`, brotliCompressSync(text));
    await writeFile(`${path}.gz`, gzipSync(text));
  }
  await writeFile(join(directory, 'assets/font-G7h8.woff2'), Buffer.from([0, 1, 2, 255]));
  return directory;
}

describe('the site', () => {
  let directory = '';
  before(async () => {
    directory = await buildSite();
  });
  const api = withTestApi(() => ({ siteDirectory: directory }));
  after(() => rm(directory, { recursive: true, force: true }));

  const get = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
    api().send({ path, headers });

  it('serves its pages at their own paths', async () => {
    for (const [path, title] of [
      ['/', 'Home'],
      ['/?utm_source=x', 'Home'],
      ['/careers', 'Careers'],
      ['/kingrose', 'KingRose'],
    ] as const) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect(response.headers['content-type']).to.match(/^text\/html; ?charset=utf-8$/i);
      expect(response.text).to.include(`<title>${title}</title>`);
    }
  });

  it('serves the page that the build names for a path', async () => {
    for (const path of ['/admin/login', '/admin/login?from=%2Fadmin', '/admin/leads/a-1', '/admin/leads/A-%31']) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect(response.text).to.equal(shell);
      expect(response.headers['cache-control']).to.equal('no-cache');
    }
  });

  it('redirects other spellings of a page’s path to its canonical path', async () => {
    for (const [path, address] of [
      ['/index.html', '/'],
      ['/careers/', '/careers'],
      ['/careers/index.html', '/careers'],
      ['/kingrose.html?utm_source=x', '/kingrose?utm_source=x'],
      ['/Careers', '/careers'],
      ['/careers//', '/careers'],
      ['//careers', '/careers'],
      ['/KingRose/?utm_source=X', '/kingrose?utm_source=X'],
      ['/%63areers', '/careers'],
      ['/INDEX.html', '/'],
      ['/'.repeat(10_000), '/'],
      ['/admin/login/', '/admin/login'],
      ['/admin/leads//', '/admin/leads'],
      ['/ADMIN//leads/A-%31/', '/admin/leads/A-%31'],
      ['/careers.', '/careers'],
      ['/careers).?utm_source=x', '/careers?utm_source=x'],
      ['/careers%20', '/careers'],
      ['/Careers,', '/careers'],
      ['/careers%22', '/careers'],
      ['/careers%E2%80%99', '/careers'],
      ['/careers%E2%80%9D.', '/careers'],
      ['/careers%D8%8C', '/careers'],
      ['/kingrose.html%C2%BB', '/kingrose'],
      ['/)', '/'],
      ['/admin/login%20).', '/admin/login'],
    ] as const) {
      const response = await get(path);
      expect(response.status, path).to.equal(308);
      expect(response.headers['location'], path).to.equal(address);
    }
  });

  it('redirects the entrance of the staff area to the dashboard, or to the sign-in without a session', async () => {
    const signIn = '/admin/login?from=%2Fadmin%2Fdashboard';
    for (const [path, cookie, address] of [
      ['/admin', '', signIn],
      ['/Admin/', 'other=1', signIn],
      ['/admin', 'session=any', '/admin/dashboard'],
    ] as const) {
      const { status, headers } = await get(path, { Cookie: cookie });
      expect([status, headers['location'], headers['cache-control']]).to.deep.equal([302, address, 'no-store']);
    }
  });

  it('lets other sites show its pictures, and nothing else', async () => {
    for (const [path, policy] of [
      ['/favicon.svg', 'cross-origin'],
      ['/', 'same-origin'],
      ['/nothing.png', 'same-origin'],
      ['/assets/index-A1b2C3.js', 'same-origin'],
      ['/assets/font-G7h8.woff2', 'same-origin'],
    ] as const) {
      expect((await get(path)).headers['cross-origin-resource-policy'], path).to.equal(policy);
    }
  });

  it('leads to the page that changes a password', async () => {
    const response = await get('/.well-known/change-password');
    expect([response.status, response.headers['location']]).to.deep.equal([302, '/admin/account']);
  });

  it('serves each kind of file with its type', async () => {
    for (const [path, type] of [
      ['/assets/index-A1b2C3.js', /^(text|application)\/javascript/],
      ['/assets/index-D4e5F6.css', /^text\/css/],
      ['/assets/font-G7h8.woff2', /^font\/woff2$/],
      ['/favicon.svg', /^image\/svg\+xml/],
    ] as const) {
      expect((await get(path)).headers['content-type'], path).to.match(type);
    }
    expect((await get('/assets/font-G7h8.woff2')).bytes).to.deep.equal(Buffer.from([0, 1, 2, 255]));
  });

  describe('compressed', () => {
    const decoded = ({ headers, bytes }: TestResponse): string => {
      const encoding = headers['content-encoding'];
      if (encoding === 'br') return brotliDecompressSync(bytes).toString();
      if (encoding === 'gzip') return gunzipSync(bytes).toString();
      expect(encoding).to.equal(undefined);
      return bytes.toString();
    };

    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate, br;q=0.5', 'gzip'],
      ['br', 'br'],
      ['*', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['br;q=0.1, gzip;q=0.9', 'gzip'],
      ['gzip;q=0.5, *;q=0.9', 'br'],
      ['identity;q=1, br;q=0.5', undefined],
      ['*;q=0.5, br;q=0', 'gzip'],
      ['deflate', undefined],
      ['identity', undefined],
      ['gzip;q=0, br;q=0', undefined],
      ['x-brotli, abr', undefined],
      ['', undefined],
    ] as const) {
      it(`sends ${encoding ?? 'the plain file'} for Accept-Encoding "${accepted}"`, async () => {
        for (const [path, text] of [
          ['/', home],
          ['/assets/index-A1b2C3.js', script],
          ['/nothing', notFound],
        ] as const) {
          const response = await get(path, { 'Accept-Encoding': accepted });
          expect(response.headers['content-encoding'], path).to.equal(encoding);
          expect(decoded(response)).to.equal(text);
          expect(response.headers['content-length']).to.equal(String(response.bytes.length));
          expect(response.headers.vary).to.equal('Accept-Encoding');
        }
      });
    }

    it('sends the plain file if it has no compressed copy', async () => {
      const response = await get('/assets/font-G7h8.woff2', { 'Accept-Encoding': 'br, gzip' });

      expect(response.headers['content-encoding']).to.equal(undefined);
      expect(response.bytes).to.have.length(4);
    });
  });

  describe('in a cache', () => {
    it('keeps hashed assets forever, and revalidates everything else', async () => {
      expect((await get('/assets/index-A1b2C3.js')).headers['cache-control']).to.equal(
        'public, max-age=31536000, immutable',
      );
      for (const path of ['/', '/careers', '/favicon.svg', '/nothing', '/assets/gone-1.js']) {
        expect((await get(path)).headers['cache-control'], path).to.equal('no-cache');
      }
    });

    it('gets 304 without a body for an unchanged file', async () => {
      for (const path of ['/', '/careers', '/assets/index-A1b2C3.js']) {
        for (const encoding of ['br', 'gzip', 'identity']) {
          const first = await get(path, { 'Accept-Encoding': encoding });
          const etag = String(first.headers.etag);
          for (const known of [etag, `"other", ${etag}`, `W/${etag.replace('W/', '')}`]) {
            const again = await get(path, { 'Accept-Encoding': encoding, 'If-None-Match': known });
            expect(again.status, known).to.equal(304);
            expect(again.bytes).to.have.length(0);
            expect(again.headers.etag).to.equal(etag);
            expect(again.headers['cache-control']).to.equal(first.headers['cache-control']);
            expect(again.headers.vary).to.equal('Accept-Encoding');
          }
        }
      }
    });

    it('distinguishes every content and every encoding', async () => {
      const etags: unknown[] = [];
      for (const path of ['/', '/careers', '/assets/index-A1b2C3.js']) {
        for (const encoding of ['br', 'gzip', 'identity']) {
          etags.push((await get(path, { 'Accept-Encoding': encoding })).headers.etag);
        }
      }
      expect(new Set(etags).size).to.equal(9);
      expect((await get('/', { 'If-None-Match': String(etags[8]) })).status).to.equal(200);
    });
  });

  describe('at unknown paths', () => {
    for (const path of [
      '/nothing',
      '/nothing.js',
      '/assets/gone-1.js',
      '/assets',
      '/assets/',
      '/careers/x',
      '/404',
      '/404/',
      '/404.html',
      '/404.html.br',
      '/%34%30%34',
      '/index.html.gz',
      '/admin.html',
      '/Admin.html',
      '/careersx/',
      '/careers%2F',
      '/favicon.SVG',
      '/admin/nothing',
      '/admin/loginx',
      '/admin/leads/a-1/more',
      '/x/admin/login',
      '/.routes.json',
      '/.routes.json.br',
      '/.env',
      '/.env.br',
      '/.well-known/secret',
      '/assets/.hidden.js',
      '/.git/config',
      '/assets/index-A1b2C3.js.map',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/..%5c..%5cetc%5cpasswd',
      '/assets/..%2f.env',
      '/%00',
      '/index.html%00.js',
      '/%',
      '/%ff%fe',
      '//evil.example',
      '//evil.example/..',
      '/\\evil.example',
      '/constructor',
      '/__proto__',
      `/${'a'.repeat(10_000)}`,
    ]) {
      it(`returns the 404 page for ${path.slice(0, 40)}`, async () => {
        const response = await get(path);
        expect(response.status).to.equal(404);
        expect(response.text).to.equal(notFound);
        expect(response.headers['content-type']).to.match(/^text\/html/);
        expect(response.headers.location).to.equal(undefined);
      });
    }

    it('returns 404 for a raw path that leaves the site’s directory', async () => {
      for (const path of ['/../../etc/passwd', '/assets/../../../etc/passwd', '/assets/../.env']) {
        const text = await api().exchange(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        expect(text).to.match(/^HTTP\/1\.1 404 /);
        expect(text).to.not.match(/SECRET|root:/);
      }
    });

    it('returns 404, not 304, for a cached 404 page', async () => {
      const { etag = '' } = (await get('/nothing')).headers;
      expect((await get('/nothing', { 'If-None-Match': etag })).status).to.equal(404);
    });

    it('does not serve pages for paths of the API', async () => {
      for (const path of ['/api', '/api/nothing', '/API/nothing', ...publicPaths]) {
        const response = await get(path, { Accept: 'text/html' });
        expect(response.status, path).to.be.oneOf([404, 405]);
        expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
      }
    });
  });

  it('returns 405 with Allow for other methods on a file or a page', async () => {
    for (const path of ['/', '/assets/index-A1b2C3.js']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
        const { status, headers } = await api().send({ method, path });
        expect([status, headers['allow'], headers['content-type']], `${method} ${path}`).to.deep.equal([
          405,
          'GET, HEAD',
          'application/problem+json',
        ]);
      }
    }
  });

  it('returns 404 without Allow for other methods on unknown paths', async () => {
    for (const method of ['POST', 'OPTIONS', 'TRACE']) {
      const { status, headers } = await api().send({ method, path: '/nothing' });
      const { allow, 'content-type': type } = headers;
      expect([status, allow, type], method).to.deep.equal([404, undefined, 'application/problem+json']);
    }
  });

  it('responds to HEAD like to GET, without the body', async () => {
    for (const path of ['/', '/assets/index-A1b2C3.js', '/nothing']) {
      const headers = { 'Accept-Encoding': 'br' };
      const [head, whole] = [await api().send({ method: 'HEAD', path, headers }), await get(path, headers)];
      expect(head.status).to.equal(whole.status);
      expect(head.bytes).to.have.length(0);
      for (const name of ['content-length', 'content-type', 'content-encoding', 'etag', 'cache-control', 'vary']) {
        expect(head.headers[name], name).to.equal(whole.headers[name]);
      }
    }
  });

  it('ignores Range and sends the whole file', async () => {
    const ranges = [
      'bytes=0-9',
      'bytes=5-2',
      'bytes=-5',
      'bytes=5-',
      'bytes=-',
      'bytes=',
      'bytes',
      '',
      'x',
      'bytes=a-b',
      'bytes=0-0,2-3',
      'bytes=999999999999999999999-',
      'bytes=-999999999999',
      'bytes=--1',
      'bytes=1e3-2e3',
      'lines=1-2',
      'bytes=NaN-Infinity',
    ];
    for (const range of ranges) {
      for (const path of ['/', '/assets/index-A1b2C3.js', '/nothing']) {
        const response = await get(path, { Range: range });
        expect(response.status, range).to.equal(path === '/nothing' ? 404 : 200);
        expect(response.text).to.equal({ '/': home, '/nothing': notFound }[path] ?? script);
      }
    }
  });

  it('does not send a page for other methods', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const path of ['/', '/careers', '/nothing']) {
        const response = await api().send({ method, path });
        expect(response.status, `${method} ${path}`).to.be.within(400, 599);
        expect(response.text).to.not.include('<title>');
      }
    }
  });

  it('accepts the public forms as well', async () => {
    expect((await api().post('/api/contact', validExample(contactForm))).status).to.equal(201);
  });

  it('refuses to start without a built site', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'site-'));
    expect(() => site(empty)).to.throw();
    expect(() => site(join(empty, 'nothing'))).to.throw();
    await rm(empty, { recursive: true });
  });

  describe('protected by headers', () => {
    const policyOf = ({ headers }: TestResponse): ReadonlyMap<string, string> =>
      new Map(
        String(headers['content-security-policy'])
          .split(';')
          .map((directive) => directive.trim().split(/ (.*)/s, 2) as [string, string]),
      );

    const expectHeaders = (response: TestResponse): void => {
      expect(response.headers).to.include({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(response.headers).to.not.have.any.keys('strict-transport-security', 'x-powered-by', 'server');
    };

    for (const path of ['/', '/assets/index-A1b2C3.js', '/nothing']) {
      it(`at ${path}`, async () => {
        const response = await get(path);
        const policy = policyOf(response);

        expect(policy.get('default-src')).to.equal("'self'");
        expect(policy.get('script-src')).to.equal("'self'");
        expect(policy.get('object-src')).to.equal("'none'");
        expect(policy.get('base-uri')).to.equal("'none'");
        expect(policy.get('frame-ancestors')).to.equal("'none'");
        expect(String(response.headers['content-security-policy'])).to.not.match(/unsafe-eval|https?:|\*/);
        expect(response.headers).to.include({ 'x-frame-options': 'DENY' });
        for (const feature of ['camera', 'geolocation', 'microphone', 'payment']) {
          expect(String(response.headers['permissions-policy']).split(', ')).to.include(`${feature}=()`);
        }
        expectHeaders(response);
      });
    }

    for (const path of ['/api/form-token', '/api/nothing', '/API/nothing']) {
      it(`at ${path}, which may load nothing`, async () => {
        const response = await get(path);
        expect([...policyOf(response)]).to.deep.equal([
          ['default-src', "'none'"],
          ['base-uri', "'none'"],
          ['frame-ancestors', "'none'"],
        ]);
        expectHeaders(response);
      });
    }
  });
});

describe('a site whose files a new build deletes', () => {
  let directory = '';
  before(async () => {
    directory = await buildSite();
  });
  const api = withTestApi(() => ({ siteDirectory: directory }));

  it('is served as it was at start', async () => {
    await rm(directory, { recursive: true });

    for (const path of ['/', '/careers', '/assets/index-A1b2C3.js']) {
      expect((await api().send({ path })).status).to.equal(200);
    }
    expect((await api().send({ path: '/nothing' })).text).to.equal(notFound);
  });
});

it('a site that is missing is reported with its setting', () => {
  for (const directory of [join(tmpdir(), 'no-such-folder'), tmpdir()]) {
    expect(() => site(directory), directory).to.throw(SettingsError, 'SITE_DIRECTORY does not contain a built site.');
  }
});

describe('the site over HTTPS', () => {
  const api = withTestApi({ publicUrl: 'https://studio.example' });

  it('sends HSTS', async () => {
    const { headers } = await api().send({ path: '/healthz' });
    expect(headers['strict-transport-security']).to.match(/^max-age=31536000\b/);
  });
});
