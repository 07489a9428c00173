import { readFile } from 'node:fs/promises';
import { brand } from '@dune-tide/domain/brand';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import {
  ignoredTimeZone,
  misspelledSettings,
  rejectMisspelledSettings,
  warnOfIgnoredSettings,
} from '../src/setting-names.ts';
import { settingNames, SettingsError } from '../src/settings.ts';

const read = (file: string): Promise<string> => readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
const environmentOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1']));

/** Variables of a login shell under Debian, macOS and zsh, of make, npm and Node.js. */
const loginShell = `_ __CFBundleIdentifier BROWSER COLORTERM COLUMNS DBUS_SESSION_BUS_ADDRESS DESKTOP_SESSION DISPLAY EDITOR
  EUID FCEDIT GDMSESSION GPG_AGENT_INFO HISTCONTROL HISTFILE HISTSIZE HOME HOST HOSTNAME HOSTTYPE HTTPS_PROXY HTTP_PROXY
  INIT_CWD INVOCATION_ID JOURNAL_STREAM LANG LANGUAGE LC_ALL LC_CTYPE LESS LESSOPEN LINES LOGNAME LSCOLORS LS_COLORS
  MACHTYPE MAIL MAILCHECK MAKEFLAGS MAKELEVEL MAKEOVERRIDES MAKE_TERMERR MAKE_TERMOUT MANPATH MFLAGS NODE NODE_ENV
  NODE_EXTRA_CA_CERTS NODE_OPTIONS NODE_PATH NO_COLOR NO_PROXY NVM_BIN NVM_DIR OLDPWD OSTYPE PAGER PATH PORT PPID PS1 PWD
  SHELL SHELLOPTS SHLVL SSH_AGENT_PID SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER TEMP TERM TERM_PROGRAM
  TERM_SESSION_ID TMOUT TMPDIR TMUX TZ UID USER USERNAME VISUAL VTE_VERSION WAYLAND_DISPLAY WINDOWID WSL_DISTRO_NAME
  XAUTHORITY XDG_DATA_DIRS XDG_RUNTIME_DIR XDG_SESSION_ID XDG_SESSION_TYPE XPC_FLAGS npm_command npm_config_cache
  npm_execpath npm_lifecycle_event npm_package_name npm_package_version`;

/** Variables of GitHub Actions, GitLab CI, Jenkins and of the platforms Heroku, Kubernetes and systemd. */
const continuousIntegration = `BRANCH_NAME BUILD_ID BUILD_NUMBER BUILD_TAG BUILD_URL CI CI_API_V4_URL CI_BUILDS_DIR
  CI_COMMIT_REF_NAME CI_COMMIT_SHA CI_JOB_ID CI_JOB_TOKEN CI_JOB_URL CI_PIPELINE_ID CI_PIPELINE_URL CI_PROJECT_DIR
  CI_PROJECT_URL CI_REGISTRY CI_REPOSITORY_URL CI_RUNNER_ID CI_SERVER_HOST CI_SERVER_PORT CI_SERVER_URL
  CREDENTIALS_DIRECTORY DYNO EXECUTOR_NUMBER GITHUB_ACTION GITHUB_ACTIONS GITHUB_ACTOR GITHUB_API_URL GITHUB_BASE_REF
  GITHUB_ENV GITHUB_EVENT_NAME GITHUB_EVENT_PATH GITHUB_JOB GITHUB_OUTPUT GITHUB_PATH GITHUB_REF GITHUB_REPOSITORY
  GITHUB_RUN_ID GITHUB_SERVER_URL GITHUB_SHA GITHUB_TOKEN GITHUB_WORKFLOW GITHUB_WORKSPACE GIT_BRANCH GIT_COMMIT GIT_URL
  ImageOS JENKINS_HOME JENKINS_URL JOB_NAME JOB_URL KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_SERVICE_HOST
  KUBERNETES_SERVICE_PORT LISTEN_FDS NODE_NAME NOTIFY_SOCKET RUNNER_ARCH RUNNER_NAME RUNNER_OS RUNNER_TEMP
  RUNNER_TOOL_CACHE RUNTIME_DIRECTORY STATE_DIRECTORY LOGS_DIRECTORY WATCHDOG_USEC WORKSPACE`;

describe('variables that look like misspelled settings', () => {
  for (const [edit, name, meant] of [
    ['swaps letters', 'PROT', 'PORT'],
    ['swaps letters', 'SMPT_URL', 'SMTP_URL'],
    ['swaps the last letters', 'LOG_LEVLE', 'LOG_LEVEL'],
    ['lacks a letter', 'STAF_EMAIL', 'STAFF_EMAIL'],
    ['lacks the first letter', 'UBLIC_URL', 'PUBLIC_URL'],
    ['has a letter too many', 'HOSTS', 'HOST'],
    ['has a wrong letter', 'REDIS_URI', 'REDIS_URL'],
    ['names a file', 'SESSION_KEY_FILE', 'SESSION_KEYS_FILE'],
  ]) {
    it(`are named with the setting if one ${edit}: ${name}`, () => {
      expect(misspelledSettings({ PATH: '/bin', [String(name)]: '1' })).to.match(
        new RegExp(`^These .*: ${name} \\(${meant}\\?\\)$`),
      );
    });
  }

  it('are named in one sentence, without their values', () => {
    const sentence = misspelledSettings({ PROT: 'secret', SMPT_URL: 'smtp://a:secret@b', LOG_LEVEL: 'info' });
    expect(sentence).to.include('PROT (PORT?), SMPT_URL (SMTP_URL?)').and.not.include('secret');
    expect(() => rejectMisspelledSettings({ PROT: '1' })).to.throw(SettingsError, 'PROT');
  });

  it('are not those that are empty, short or two edits away', () => {
    expect(misspelledSettings({ PROT: '', _: '1', M: '1', NN: '1', HOME: '/root', PRTO_: '1' })).to.equal(undefined);
  });

  it('are not the settings and their files', () => {
    const names = settingNames.flatMap((name) => [name, `${name}_FILE`]);
    expect(misspelledSettings(environmentOf(names))).to.equal(undefined);
  });

  it('are not those of a login shell or of continuous integration', () => {
    for (const names of [loginShell, continuousIntegration]) {
      expect(misspelledSettings(environmentOf(names.split(/\s+/)))).to.equal(undefined);
    }
  });

  it("are not make's variables and those of the benchmarks", async () => {
    const names = [
      ...[...(await read('Makefile')).matchAll(/\b([A-Z][A-Z_]*)\b/g)].map(([, name = '']) => name),
      ...[...(await read('docs/PERFORMANCE.md')).matchAll(/`([A-Z][A-Z_]*)`/g)].map(([, name = '']) => name),
    ];
    expect(names).to.include.members(['PARTS', 'FILES', 'SUITES', 'ARGS', 'REPLACE', 'ROUNDS', 'MANY_LEADS']);
    expect(misspelledSettings(environmentOf(names))).to.equal(undefined);
  });
});

describe('STUDIO_TIME_ZONE', () => {
  it("is reported if it is set to another zone than the brand's", () => {
    expect(ignoredTimeZone({ STUDIO_TIME_ZONE: 'Africa/Johannesburg' })).to.include(brand.timeZone);
    for (const zone of [undefined, '', brand.timeZone]) {
      expect(ignoredTimeZone({ STUDIO_TIME_ZONE: zone })).to.equal(undefined);
    }
  });
});

describe('the start of a process', () => {
  it('warns of settings without effect, one line each', () => {
    const { logger, lines } = memoryLogger();
    warnOfIgnoredSettings({ PROT: '1', STUDIO_TIME_ZONE: 'Africa/Johannesburg' }, logger);
    expect(lines().map(({ level }) => level)).to.deep.equal(['warn', 'warn']);
  });
});
