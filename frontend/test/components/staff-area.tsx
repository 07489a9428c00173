import { ThemeProvider } from '@mui/material/styles';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react/pure';
import { expect } from 'chai';
import { BrowserRouter, matchPath, Route, Routes } from 'react-router-dom';
import { api } from '../../src/api-client/base-api.ts';
import { loadPage, PageView } from '../../src/app/page-view.tsx';
import { accountPage, loginPage, type StaffPage, staffPages } from '../../src/app/staff-pages.ts';
import { StaffArea, StaffLayout } from '../../src/app/StaffArea.tsx';
import { theme } from '../../src/app/theme.ts';
import type { SignedIn } from '../../src/features/auth/auth-api.ts';
import { store } from '../../src/store/store.ts';
import ToastStack from '../../src/toasts/ToastStack.tsx';
import { dialogsClosed } from '../../src/ui/use-back-to-close.ts';

/** The staff member who is signed in. */
export const me: SignedIn = {
  id: '0192f0c1-2b7e-7c3a-9d53-6f2a10b7c0bb',
  username: 'thabo',
  name: 'Thabo Nkosi',
  role: 'owner',
  hasEmail: true,
  needs: null,
  replies: 'simulated',
  timeZone: 'Africa/Johannesburg',
};

/** A call that the page made. */
export interface Call {
  /** The method and the path, with ":id" in place of each id. */
  readonly call: string;
  readonly ids: readonly string[];
  readonly search: string;
  readonly body: unknown;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

/** Returns a `Response`, the body of a 200, or nothing for a 204. A call whose answer throws gets no response. */
type Answer = (call: Call) => unknown;

/** Returns a list as the API does, with its total. */
export const listOf = (items: readonly object[], headers: Record<string, string> = {}): Response =>
  Response.json(items, { headers: { 'X-Total-Count': String(items.length), ...headers } });

const nothing = () => listOf([]);
const noCounts = { overdue: 0, soon: 0, waiting: 0 };

/** Answers for an empty studio. */
const emptyStudio: Record<string, Answer> = {
  'GET /api/admin/session': () => me,
  'GET /api/admin/team': () => [{ ...me, email: null, lastSignInAt: null, isActive: true }],
  'GET /api/admin/audit-log': nothing,
  'GET /api/admin/stats': () => ({
    totalLeads: 0,
    activeProjects: 0,
    conversionRate: 0,
    teamMembers: 1,
    needsAnswer: noCounts,
    unowned: 0,
    onTimeRate: null,
    medianAnswerMinutes: null,
  }),
  'GET /api/admin/trends': () => refusal(503),
  'GET /api/admin/recent-activity': nothing,
  'GET /api/admin/due-next': nothing,
  'GET /api/admin/leads': nothing,
  'GET /api/admin/contacts': nothing,
  'GET /api/admin/service-inquiries': nothing,
  'GET /api/admin/careers': nothing,
  'GET /api/admin/views': nothing,
  'GET /api/admin/recipes': nothing,
  'GET /api/admin/opt-outs': nothing,
};

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns a response with an error status. */
export const refusal = (status: number, body: object = {}, headers: Record<string, string> = {}): Response =>
  Response.json({ status, ...body }, { status, headers });

/** Serves the staff API to the pages of a test, and forgets everything after it. */
interface StaffServer {
  readonly calls: readonly Call[];
  readonly answers: Record<string, Answer>;
  readonly count: (call: string) => number;
  readonly last: (call: string) => Call | undefined;
  /** Answers the next call differently. */
  readonly once: (call: string, answer: Answer) => void;
  /** Lets the next call take effect and drops its response. */
  readonly lose: (call: string) => void;
  /** Holds the responses to a call. @returns a function that releases them */
  readonly hold: (call: string) => () => void;
}

/** @param answersOf - returns the answers by call at the start of each test */
export function serveStaff(answersOf: () => Record<string, Answer>): StaffServer {
  const calls: Call[] = [];
  const unanswered: string[] = [];
  const answers: Record<string, Answer> = {};
  const answerTo = (name: string): Answer =>
    answers[name] ??
    (() => {
      unanswered.push(name);
      return refusal(404);
    });

  const once = (name: string, answer: Answer): void => {
    const before = answerTo(name);
    answers[name] = (call) => {
      answers[name] = before;
      return answer(call);
    };
  };

  beforeEach(() => {
    calls.length = 0;
    unanswered.length = 0;
    for (const name of Object.keys(answers)) delete answers[name];
    Object.assign(answers, emptyStudio, answersOf());
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const call: Call = {
        call: `${request.method} ${pathname.replaceAll(uuid, ':id')}`,
        ids: pathname.match(uuid) ?? [],
        search,
        body: text === '' ? undefined : JSON.parse(text),
        headers: request.headers,
        signal: init?.signal ?? request.signal,
      };
      calls.push(call);
      const answer = await answerTo(call.call)(call);
      if (answer instanceof Response) return answer;
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer);
    };
    streams.length = 0;
    Object.assign(globalThis, { EventSource: Stream });
  });

  afterEach(async () => {
    await leave();
    expect(unanswered, 'calls without an answer').to.deep.equal([]);
  });

  return {
    calls,
    answers,
    count: (name) => calls.filter(({ call }) => call === name).length,
    last: (name) => calls.findLast(({ call }) => call === name),
    once,
    lose: (name) => {
      const before = answerTo(name);
      once(name, async (call) => {
        await before(call);
        throw new TypeError('The connection was reset');
      });
    },
    hold: (name) => {
      const before = answerTo(name);
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      answers[name] = async (call) => {
        await held;
        return before(call);
      };
      return () => release();
    },
  };
}

/** The announcements that the page listens to. */
class Stream extends EventTarget {
  constructor() {
    super();
    streams.push(this);
  }
  close(): void {
    streams.splice(streams.indexOf(this), 1);
  }
}
const streams: Stream[] = [];

/** Sends an announcement to the page, which opens its stream a moment after it is shown. */
export async function announce(announcement: object): Promise<void> {
  await waitFor(() => expect(streams).to.not.have.length(0));
  await act(async () => {
    for (const stream of streams) {
      stream.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(announcement) }));
    }
  });
}

const allPages = [...staffPages, accountPage];
const routesOf = (page: StaffPage) =>
  page.paths.map((path) => <Route key={path} path={path} element={<PageView key={page.paths[0]} page={page} />} />);

/** Leaves the page: only the storage of the browser stays. */
async function leave(): Promise<void> {
  cleanup();
  await dialogsClosed();
  store.dispatch(api.util.resetApiState());
}

/** Opens a page of the staff area in its frame, with the toasts, as a browser loads it. */
export async function openStaffPage(path: string): Promise<void> {
  await leave();
  const { pathname } = new URL(path, window.location.href);
  const pages = [loginPage, ...allPages.filter(({ paths }) => paths.some((each) => matchPath(each, pathname)))];
  await Promise.all(pages.map(loadPage));
  window.history.replaceState(null, '', path);
  await act(async () => {
    render(
      <ThemeProvider theme={theme}>
        <BrowserRouter>
          <Routes>
            <Route element={<StaffArea />}>
              {routesOf(loginPage)}
              <Route element={<StaffLayout />}>{allPages.flatMap(routesOf)}</Route>
            </Route>
            <Route path="*" element={<h1>Website</h1>} />
          </Routes>
          <ToastStack container={document.body} />
        </BrowserRouter>
      </ThemeProvider>,
    );
  });
}

/** Loads the current page again. */
export const reload = () => openStaffPage(address());

type Place = Pick<typeof screen, 'getByRole' | 'getAllByRole'>;

/** The open dialog. */
export const dialog = () => within(screen.getByRole('dialog'));
export const isDialogOpen = () => screen.queryByRole('dialog') !== null;

/** Presses a button or a link as a pointer does, which also focuses it. */
export const press = (name: string | RegExp, place: Place = screen, role = 'button') =>
  click(place.getByRole(role, { name }));

export const click = (element: Element | null | undefined) =>
  act(async () => {
    if (!(element instanceof HTMLElement)) throw new Error('There is nothing to click');
    element.focus();
    fireEvent.click(element);
  });

/** Returns a field of the open dialog, or of the page, by its name. */
export function field(name: string): HTMLInputElement {
  const place = document.querySelector('[role="dialog"]') ?? document;
  return place.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? expect.fail(`no field ${name}`);
}

/** Types a value into a field, which may be given by its name, and leaves it. */
export const put = (where: string | HTMLElement, value: string) =>
  act(async () => {
    const element = typeof where === 'string' ? field(where) : where;
    element.focus();
    fireEvent.change(element, { target: { value } });
    fireEvent.blur(element);
  });

/** Returns the message of a field. */
export function messageOf(name: string): string {
  const id = field(name).getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
  return document.getElementById(id)?.textContent ?? '';
}

export const pressKey = (key: string, target: Element = document.activeElement ?? document.body) =>
  act(async () => void fireEvent.keyDown(target, { key }));

/** Returns the label or the text of the focused element. */
export const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '';

/** Returns the texts of the elements that a selector finds. */
export const textsOf = (selector: string, place: ParentNode = document): string[] =>
  [...place.querySelectorAll(selector)].map(({ textContent }) => textContent);

/** Returns the path and the query string of the page. */
export const address = () => window.location.pathname + window.location.search;
