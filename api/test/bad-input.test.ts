import { contactForm } from '@dune-tide/domain/forms/contact';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { bodiesOfNoForm } from './hostile-values.ts';
import { publicPaths, withTestApi, type TestResponse, type ProblemBody } from './support.ts';

describe('bad input', () => {
  const api = withTestApi();
  beforeEach(() => api().clear());

  const expectRefused = async (response: TestResponse): Promise<ProblemBody> => {
    expect(response.status, response.text).to.be.within(400, 499);
    expect(response.headers['content-type']).to.match(/^application\/problem\+json/);
    const problem = response.json() as ProblemBody;
    expect(problem.status).to.equal(response.status);
    if (response.status === 422) expect(problem.errors).to.have.length.above(0);
    return problem;
  };
  /** Checks a response that the HTTP server sent before the application saw the request. */
  const expectWrittenProblem = (text: string, name: string): void => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head, name).to.match(/^HTTP\/1\.1 [45]\d\d .*\r\nContent-Type: application\/problem\+json\r\n/s);
    for (const header of ['X-Content-Type-Options: nosniff', "Content-Security-Policy: default-src 'none'"]) {
      expect(head.toLowerCase(), name).to.include(header.toLowerCase());
    }
    expect((JSON.parse(body) as ProblemBody).status, name).to.equal(Number(head.slice('HTTP/1.1 '.length).slice(0, 3)));
  };
  const expectNothingStored = async (): Promise<void> => {
    expect(await api().leads()).to.have.length(0);
    expect(await api().followUps()).to.have.length(0);
  };

  it('that is not a form is refused by every public form', async () => {
    for (const path of publicPaths) {
      for (const [name, body] of bodiesOfNoForm) {
        const response = await api().post(path, body);
        expect(response.status, name).to.be.oneOf([400, 422]);
        await expectRefused(response);
      }
    }
    await expectNothingStored();
  });

  it('with two equal keys uses the last one, as JSON does', async () => {
    const body = JSON.stringify(validExample(contactForm));
    const response = await api().post('/api/contact', `{"email": "first@example.com", ${body.slice(1)}`);

    expect(response.status).to.equal(201);
    expect((await api().leads())[0]?.email).to.equal(validExample(contactForm)['email']);
    await expectRefused(await api().post('/api/contact', `${body.slice(0, -1)}, "email": "noura"}`));
  });

  it('in the request line or the headers never causes a 5xx', async () => {
    const targets = [
      'http://[',
      'http://',
      '//',
      '///',
      '/api/%',
      '/api/%00',
      '/%ff',
      '*',
      '/?%',
      '/api/contact?a[b]=c',
      '/api/../x',
      '//a@[#',
      '//a@xn--#',
      '//%@x#',
      '//a@[\u00a0',
      '//a@[\t',
      '/#',
      'http://%@x/',
      'http://x//a@[',
    ];
    for (const target of targets) {
      const text = await api().exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(text, target).to.match(/^HTTP\/1\.1 [24]\d\d /);
    }
    const heads = [
      'POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n',
      'POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n`,
      'GET / HTTP/1.1\r\n',
      'GET / HTTP/9.9\r\nHost: x\r\n',
      'MYSTERY / HTTP/1.1\r\nHost: x\r\n',
      '\u0016\u0003\u0001',
    ];
    for (const head of heads) {
      const text = await api().exchange(`${head}Connection: close\r\n\r\n`);
      expectWrittenProblem(text, head.slice(0, 60));
    }
    await expectNothingStored();
  });

  it('is refused with a problem if a chunk is malformed', async () => {
    const head =
      'POST /api/contact HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    expectWrittenProblem(await api().exchange(`${head}\r\n\r\nxyz\r\n`), 'a chunk without a size');
    await expectNothingStored();
  });

  it('is refused if a proxy may have parsed the request differently', async () => {
    const body = JSON.stringify(validExample(contactForm));
    const chunks = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const responseTo = async (version: string, headers: string): Promise<string> => {
      const head = `POST /api/contact HTTP/${version}\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}`;
      const text = await api().exchange(`${head}\r\n\r\n${chunks}`);
      if (!text.startsWith('HTTP/1.1 2')) expectWrittenProblem(text, headers);
      return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    };
    const chunked = 'Host: x\r\nTransfer-Encoding: chunked';
    expect(await responseTo('1.1', `Host: y\r\n${chunked}`)).to.equal('400');
    expect(await responseTo('1.0', chunked)).to.equal('400');
    for (const coding of ['gzip, chunked', 'mystery']) {
      expect(await responseTo('1.1', `Host: x\r\nTransfer-Encoding: ${coding}`)).to.equal('501');
    }
    await expectNothingStored();
    expect(await responseTo('1.1', 'Host: x\r\nTransfer-Encoding: Chunked')).to.equal('201');
    await api().clear();
  });

  it('is refused if its Host header is not a host', async () => {
    const statusOf = async (host: string): Promise<string> => {
      const text = await api().exchange(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      if (!text.startsWith('HTTP/1.1 2')) expectWrittenProblem(text, host);
      return text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    };
    for (const host of [
      'a b',
      'a, b',
      'user@studio.example',
      'evil.example:x@studio.example',
      'studio.example/path',
      'studio.example?query',
      'studio.example#fragment',
      'studio.example\\@evil.example',
      '<script>',
      'studio.example:port',
      'studio.example:808080',
      '[::1',
      '[::1]x',
      '::1',
      'https://studio.example',
      'st\u00fcdio.example',
    ]) {
      expect(await statusOf(host), host).to.equal('400');
    }
    for (const host of ['studio.example', 'STUDIO.example:8080', '127.0.0.1:8080', '[::1]:8080', 'api_1.', 'x:', '']) {
      expect(await statusOf(host), host).to.equal('200');
    }
  });

  it('leaves the API working, without logged errors', async () => {
    expect((await api().post('/api/contact', validExample(contactForm))).status).to.equal(201);
    expect(({} as { isAdmin?: unknown }).isAdmin).to.equal(undefined);
    expect(
      api()
        .logLines()
        .filter(({ level }) => level === 'error' || level === 'fatal'),
    ).to.deep.equal([]);
  });
});
