import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readSettings, settingRules, SettingsError, type SettingName } from '../src/settings.ts';

const all = Object.keys(settingRules) as SettingName[];

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return expect.fail('the settings were accepted');
}

/** Returns the settings that a message reports. */
const faulty = (message: string): string[] =>
  [...message.matchAll(/^ {2}([A-Z_]+) is /gm)].map(([, name]) => name ?? '');

const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

const fine: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  DATABASE_URL: [
    'postgres://a:b@localhost:5432/c',
    'postgresql://localhost/c',
    'postgres://a:b,c@db.example/c?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem',
    'postgres:///c?host=/run/postgresql',
    'postgres://a:b@/c?host=/run/postgresql',
    'postgres://a@%2Frun%2Fpostgresql/c',
    'postgres://a%40example.com:p%2Fa%23s%3As%25@[::1]:5432/c',
  ],
  MIGRATION_DATABASE_URL: ['postgres://migrate:b@localhost:5432/c'],
  DATABASE_POOL_SIZE: ['2', '10'],
  REDIS_URL: [
    'redis://localhost:6379',
    'rediss://:secret@example.com:6380/1',
    'redis://user:p%40ss@[::1]:6379/?family=6',
    'redis+sentinel://a.example:26379,b.example/mymaster',
    'rediss+sentinel://user:secret@a.example,[::1]:26380/mymaster?sentinelPassword=other',
    'redis+cluster://:secret@a.example:6379,b.example:6379',
    'rediss+cluster://a.example/',
  ],
  SMTP_URL: [
    'smtp://localhost:1025',
    'smtps://a:b@example.com',
    'smtp://user%40example.com:pa%23s%2Fs@[::1]:587/?requireTLS=false',
    // Every parser takes the last @ as the one before the host.
    'smtp://user@example.com:pa@ss@mail_server',
  ],
  MAIL_FROM: ['hello@example.com', 'root@localhost'],
  STAFF_EMAIL: [
    'hello@example.com',
    'root@localhost',
    `${'a'.repeat(64)}@${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(61)}.com`,
  ],
  WEBHOOK_URL: [
    'https://hooks.example.com/studio?key=a',
    'https://93.184.216.34:8443/',
    'https://10.0.0.7/hooks',
    'http://127.0.0.1:9000',
    'http://[::1]:9000/hooks',
    'http://192.168.1.20/hooks',
    'http://[fd00::7]/',
    'http://localhost:9000/',
    'http://crm:9000/hooks',
    'http://crm.studio.internal/hooks',
  ],
  WEBHOOK_SECRET: [secretOf(24), secretOf(25), secretOf(32), secretOf(64), `${secretOf(32)},${secretOf(24)}`],
  PUBLIC_URL: ['https://example.com', 'http://localhost:8080', 'http://[::1]:8080'],
  PORT: ['1', '65535'],
  SESSION_KEYS: ['k'.repeat(32), `${'k'.repeat(32)},${'l'.repeat(40)}`],
  TRUSTED_PROXIES: ['127.0.0.1', '10.0.0.0/8, ::1', 'loopback,', '2001:db8::/32'],
  PUBLIC_POST_LIMIT: ['0', '1000000'],
  EMAIL_LIMIT: ['0', '1000000'],
  WORKER_CONCURRENCY: ['1', '50'],
  ADMIN_USERNAME: ['a', 'a'.repeat(100), 'نورة', 'ｎｏｕｒａ'],
  ADMIN_EMAIL: ['noura@studio.example'],
  ADMIN_PASSWORD: ['12345678', 'a b c d e f', 'x'.repeat(200)],
  LOG_LEVEL: ['fatal', 'silent'],
};

const unusable: Readonly<Partial<Record<SettingName, readonly string[]>>> = {
  DATABASE_URL: [
    'mysql://a:secret@localhost/c',
    'localhost',
    'postgres://a:secret@one.example,two.example/c?target_session_attrs=read-write',
    'postgres://one.example:5432,two.example:5432/c',
    'postgres://a:pa#ss@localhost/c',
    'postgres://a:1/2@localhost/c',
    'postgres://a:1?2@localhost/c',
    'postgres://a:50%@localhost/c',
    'postgres://a:b@localhost/c/d',
    'postgres://a:b@localhost:0/c',
    'postgres://a:b@localhost:65536/c',
    'postgres://a:b@höst/c',
  ],
  MIGRATION_DATABASE_URL: ['mysql://a:secret@localhost/c', 'postgres://a:pa#ss@localhost/c'],
  DATABASE_POOL_SIZE: ['1', '11', '2.5', 'two', ' '],
  REDIS_URL: [
    'http://localhost',
    'localhost:6379',
    'redis+sentinel://a.example:26379',
    'redis+sentinel:///mymaster',
    'redis+sentinel://a.example,,b.example/mymaster',
    'redis+sentinel://a.example/mymaster?password=secret',
    'redis+sentinel://user:%zz@a.example/mymaster',
    'redis+cluster://',
    'redis+cluster://a.example/1',
    'redis+ring://a.example',
    'redis+cluster://a.example:70000',
    'redis://:pa#ss@localhost',
    'redis://a:1/2@localhost',
    'redis://a:1?2@localhost',
    'redis://:50%@localhost',
    'redis://localhost/one',
    'redis://localhost:0',
    'redis:///1',
  ],
  SMTP_URL: [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://user@example.com:pa#ss@127.0.0.1',
    // A parser takes the user for the host and the start of the password for the port.
    'smtp://user:12#3@127.0.0.1',
    'smtp://user:12/3@127.0.0.1',
    'smtp://user:12?3@127.0.0.1',
    'smtp://user:50%@127.0.0.1',
    'smtp://user:%zz@127.0.0.1',
    'smtp://:secret@127.0.0.1',
    'smtp://user:secret@',
    'smtp://',
    'smtp://127.0.0.1:0',
    'smtp://127.0.0.1:70000',
    'smtp://127.0.0.1/path',
    'smtp://mail.exämple',
    'smtp://one.example,two.example',
    ' smtp://localhost',
  ],
  MAIL_FROM: ['hello', 'a@b@c', 'Studio <hello@example.com>', 'a@example.com, b@example.com'],
  STAFF_EMAIL: ['hello', `a@${'b.'.repeat(125)}com`, 'a@example.com\r\nBcc: b@example.com'],
  WEBHOOK_URL: [
    'hooks.example.com',
    'http://hooks.example.com/',
    'http://93.184.216.34/',
    'http://[2606:4700::1]/',
    'https://0.0.0.0/',
    'https://[::]/',
    'http://224.0.0.1/',
    'https://255.255.255.255/',
    'https://noura:secret@hooks.example.com/',
    'https://hooks.example.com/#part',
    'https://hooks.example.com:0/',
    'ftp://127.0.0.1/',
    'https://',
    'https://hooks.example.com /',
  ],
  WEBHOOK_SECRET: [
    'secret',
    secretOf(23),
    secretOf(67),
    secretOf(24).slice(6),
    `${secretOf(24)},${secretOf(25)},${secretOf(26)}`,
    `${secretOf(24)}, ${secretOf(24)}`,
    `whsec_${'_'.repeat(32)}`,
  ],
  PUBLIC_URL: [
    'example.com',
    'https://example.com/',
    'https://example.com/path',
    'ftp://example.com',
    'http://::1:8080',
    'https://example.com:port',
    'https://%',
    'https://a\\b',
    'http://example.com:99999',
    'https://noura@example.com',
    'https://example.com?',
    'file://example.com',
  ],
  PORT: ['0', '65536', '80a', '-1'],
  SESSION_KEYS: [
    'k'.repeat(31),
    `${'k'.repeat(32)},short`,
    `${'k'.repeat(32)},`,
    `${'k'.repeat(16)} ${'k'.repeat(16)}`,
  ],
  TRUSTED_PROXIES: ['proxy.example', '10.0.0.0/33', '10.0.0.1;10.0.0.2'],
  PUBLIC_POST_LIMIT: ['-1', 'many'],
  EMAIL_LIMIT: ['-1', 'many'],
  WORKER_CONCURRENCY: ['0', '51'],
  // The normal form of the last username contains spaces.
  ADMIN_USERNAME: ['two words', 'a'.repeat(101), '\ufdfa'],
  ADMIN_EMAIL: ['noura'],
  ADMIN_PASSWORD: ['1234567', 'x'.repeat(201)],
  LOG_LEVEL: ['verbose', 'INFO'],
};

describe('settings', () => {
  it('are reported together if any are missing or invalid, each with its description', () => {
    const message = refusal(() =>
      readSettings(
        { PORT: 'eighty', REDIS_URL: 'localhost' },
        { required: ['DATABASE_URL', 'SMTP_URL'], optional: ['PORT', 'REDIS_URL', 'LOG_LEVEL'] },
      ),
    );
    expect(faulty(message)).to.have.members(['DATABASE_URL', 'SMTP_URL', 'PORT', 'REDIS_URL']);
    for (const name of ['DATABASE_URL', 'SMTP_URL'] as const) {
      expect(message).to.include(`${name} is missing: ${settingRules[name].description}`);
    }
    for (const name of ['PORT', 'REDIS_URL'] as const) {
      expect(message).to.include(`${name} is invalid: ${settingRules[name].description}`);
    }
  });

  it('are reported without their values', () => {
    const secret = 'hunter2';
    const message = refusal(() =>
      readSettings(Object.fromEntries(all.map((name) => [name, `<${secret},,`])), { required: all, optional: [] }),
    );
    expect(faulty(message)).to.include.members(['DATABASE_URL', 'SMTP_URL', 'SESSION_KEYS']);
    expect(message).to.not.include(secret);
  });

  it('that are URLs are reported with the characters to percent-encode', () => {
    for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'REDIS_URL', 'SMTP_URL'] as const) {
      const scheme = String(fine[name]?.[0]).split(':')[0];
      const environment = { [name]: `${scheme}://user@example.com:hunter#2@127.0.0.1` };
      const message = refusal(() => readSettings(environment, { required: [name], optional: [] }));
      expect(message).to.include(`${name} is invalid`).and.include('percent-encode % as %25, # as %23, ? as %3F');
      expect(message).to.not.include('hunter').and.not.include('user@');
    }
  });

  it('count as unset if they are empty', () => {
    expect(readSettings({ REDIS_URL: '', PORT: '' }, { required: [], optional: ['REDIS_URL', 'PORT'] })).to.deep.equal({
      PORT: settingRules.PORT.default,
    });
    expect(
      faulty(refusal(() => readSettings({ DATABASE_URL: '' }, { required: ['DATABASE_URL'], optional: [] }))),
    ).to.deep.equal(['DATABASE_URL']);
  });

  it('have their default value, or none', () => {
    const optional = all.filter((name) => 'default' in settingRules[name]);
    expect(readSettings({}, { required: [], optional })).to.deep.equal(
      Object.fromEntries(
        Object.entries(settingRules).flatMap(([name, rule]) => ('default' in rule ? [[name, rule.default]] : [])),
      ),
    );
    expect(readSettings({}, { required: [], optional: ['REDIS_URL', 'STAFF_EMAIL'] })).to.deep.equal({});
    // Repeated, because the product promises this number.
    expect(settingRules.PUBLIC_POST_LIMIT.default).to.equal(10);
  });

  it('have valid defaults', () => {
    for (const [name, rule] of Object.entries(settingRules) as [SettingName, object][]) {
      if (!('default' in rule) || rule.default === '') continue;
      expect(readSettings({ [name]: String(rule.default) }, { required: [name], optional: [] })).to.deep.equal({
        [name]: rule.default,
      });
    }
  });

  it('are converted to numbers only if their type is a number', () => {
    expect(
      readSettings(
        { PORT: '8081', PUBLIC_POST_LIMIT: '0', ADMIN_PASSWORD: '00123456' },
        { required: [], optional: ['PORT', 'PUBLIC_POST_LIMIT', 'ADMIN_PASSWORD'] },
      ),
    ).to.deep.equal({ PORT: 8081, PUBLIC_POST_LIMIT: 0, ADMIN_PASSWORD: '00123456' });
  });

  it('that a process does not read are neither checked nor returned', () => {
    expect(
      readSettings({ PORT: 'nonsense', HOME: '/root', LOG_LEVEL: 'warn' }, { required: [], optional: ['LOG_LEVEL'] }),
    ).to.deep.equal({ LOG_LEVEL: 'warn' });
  });

  it('are read without changing the environment', () => {
    const environment = Object.freeze({ PORT: '8081' });
    readSettings(environment, { required: ['PORT'], optional: ['LOG_LEVEL'] });
    expect(environment).to.deep.equal({ PORT: '8081' });
  });

  describe('from a file', () => {
    let directory = '';
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'settings-'));
    });
    after(() => rm(directory, { recursive: true }));

    async function fileOf(content: string): Promise<string> {
      const file = join(directory, 'secret');
      await writeFile(file, content);
      return file;
    }

    it('do not include the newline at its end', async () => {
      for (const newline of ['', '\n', '\r\n']) {
        const environment = { ADMIN_PASSWORD_FILE: await fileOf(` two words\n${newline}`), PORT_FILE: '' };
        expect(readSettings(environment, { required: ['ADMIN_PASSWORD'], optional: [] })).to.deep.equal({
          ADMIN_PASSWORD: newline === '' ? ' two words' : ' two words\n',
        });
      }
    });

    it('are validated like values from the environment', async () => {
      const environment = { PORT_FILE: await fileOf('8081\n') };
      expect(readSettings(environment, { required: ['PORT'], optional: [] })).to.deep.equal({ PORT: 8081 });
      await fileOf('eighty');
      expect(refusal(() => readSettings(environment, { required: ['PORT'], optional: [] }))).to.include(
        `PORT is invalid: ${settingRules.PORT.description}`,
      );
      await fileOf('\n');
      expect(readSettings(environment, { required: [], optional: ['PORT'] })).to.deep.equal({
        PORT: settingRules.PORT.default,
      });
    });

    it('are reported if the environment sets them as well or the file cannot be read', async () => {
      const message = refusal(() =>
        readSettings(
          { PORT: '8081', PORT_FILE: '/nowhere', SMTP_URL_FILE: '/nowhere/at/all', LOG_LEVEL_FILE: directory },
          { required: ['DATABASE_URL', 'SMTP_URL'], optional: ['PORT', 'LOG_LEVEL'] },
        ),
      );
      expect(message.split('\n').slice(1)).to.have.members([
        `  PORT is set both directly and through PORT_FILE: ${settingRules.PORT.description}`,
        `  SMTP_URL_FILE cannot be read (ENOENT): ${settingRules.SMTP_URL.description}`,
        `  LOG_LEVEL_FILE cannot be read (EISDIR): ${settingRules.LOG_LEVEL.description}`,
        `  DATABASE_URL is missing: ${settingRules.DATABASE_URL.description}`,
      ]);
    });
  });

  for (const name of all) {
    it(`accept valid values of ${name} only`, () => {
      for (const value of fine[name] ?? []) {
        expect(String(readSettings({ [name]: value }, { required: [name], optional: [] })[name])).to.equal(value);
      }
      for (const value of unusable[name] ?? []) {
        const message = refusal(() => readSettings({ [name]: value }, { required: [name], optional: [] }));
        expect(faulty(message), JSON.stringify(value)).to.deep.equal([name]);
      }
    });
  }

  it('state their range in the description', () => {
    for (const [name, rule] of Object.entries(settingRules)) {
      if (!('maximum' in rule)) continue;
      expect(rule.description, name).to.include(`from ${rule.minimum} to ${rule.maximum}`);
    }
  });

  it('are the ones in .env.example, each with its description', async () => {
    const lines = (await readFile(new URL('../../.env.example', import.meta.url), 'utf8')).split('\n');
    const listed = lines.flatMap((line, index) => {
      const [, name] = /^#?([A-Z_]+)=/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, index }];
    });
    expect(listed.map(({ name }) => name)).to.have.members(all);
    for (const { name, index } of listed) {
      const above: string[] = [];
      for (let line = index - 1; lines[line]?.startsWith('# '); line--) above.unshift(lines[line]?.slice(2) ?? '');
      expect(above.join(' '), name).to.include(settingRules[name as SettingName].description);
    }
  });

  it('have valid values in .env.example', async () => {
    const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
    const environment = Object.fromEntries(
      [...text.matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    readSettings(environment, { required: [], optional: all });
  });
});
