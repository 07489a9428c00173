import type { BrowserContext, Route } from 'playwright-core';

/** An account as GET /api/admin/team answers it. */
export interface FakeMember {
  readonly id: string;
  readonly name: string;
  readonly username: string;
  readonly lastSignInAt: string | null;
  readonly isActive: boolean;
  readonly createdAt: string;
}

interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The staff API in the browser's place, with a memory of its own. */
export interface FakeStaffApi {
  /** What was asked for, e.g. "GET /api/admin/stats". */
  readonly calls: readonly string[];
  readonly stats: Record<'totalLeads' | 'activeProjects' | 'teamMembers' | 'conversionRate', number>;
  /** How often a call was made. */
  count(call: string): number;
  /** As a session that ends on the server: the next calls are refused. */
  endSession(): void;
  install(context: BrowserContext): Promise<void>;
}

export const fakeAccount = { username: 'staff', password: 'a password of the browser tests' };

const own: FakeMember = {
  id: '6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01',
  name: 'Layla Haddad',
  username: fakeAccount.username,
  lastSignInAt: '2026-11-21T08:12:00.000Z',
  isActive: true,
  createdAt: '2026-01-05T08:00:00.000Z',
};

const others: readonly FakeMember[] = [
  ['Noura al-Harbi', 'noura', '2026-11-20T15:47:00.000Z', true],
  ['Sipho Dlamini', 'sipho', '2026-11-18T09:05:00.000Z', true],
  ['Tariq Mansour', 'tariq', '2026-06-30T16:20:00.000Z', false],
  ['Zanele Khumalo', 'zanele.khumalo', null, true],
].map(([name, username, lastSignInAt, isActive], index) => ({
  id: `6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7b0${index}`,
  name: name as string,
  username: username as string,
  lastSignInAt: lastSignInAt as string | null,
  isActive: isActive as boolean,
  createdAt: '2026-02-05T08:00:00.000Z',
}));

const problem = (status: number, more: Readonly<Record<string, unknown>> = {}): Answer => ({
  status,
  json: { type: 'about:blank', title: 'Problem', status, ...more },
  headers: { 'Content-Type': 'application/problem+json' },
});

const nameOf = ({ id, username, name }: FakeMember) => ({ id, username, name });

/** @param isSignedIn - whether the browser begins with a session */
export function fakeStaffApi(isSignedIn = true): FakeStaffApi {
  const calls: string[] = [];
  const stats = { totalLeads: 1284, activeProjects: 17, teamMembers: 4, conversionRate: 12.5 };
  let hasSession = isSignedIn;
  let members = [own, ...others];

  const change = (id: string, body: Readonly<Record<string, unknown>>): Answer => {
    const member = members.find((each) => each.id === id);
    if (!member) return problem(404);
    if (id === own.id && body['isActive'] === false) return problem(409);
    const changed = { ...member, ...(typeof body['isActive'] === 'boolean' && { isActive: body['isActive'] }) };
    members = members.map((each) => (each.id === id ? changed : each));
    if (id === own.id && body['password'] !== undefined) hasSession = false;
    return { status: 200, json: changed };
  };

  const add = (body: Readonly<Record<string, string>>): Answer => {
    const { name = '', username = '' } = body;
    if (members.some((each) => each.username === username)) {
      return problem(422, { errors: [{ field: 'username', message: 'This username is taken' }] });
    }
    const createdAt = new Date().toISOString();
    const member = { id: crypto.randomUUID(), name, username, lastSignInAt: null, isActive: true, createdAt };
    members = [...members, member].toSorted((a, b) => a.name.localeCompare(b.name));
    return { status: 201, json: member };
  };

  const answer = (call: string, body: Readonly<Record<string, string>>): Answer => {
    if (call === 'POST /api/admin/login') {
      hasSession = body['username'] === own.username && body['password'] === fakeAccount.password;
      return hasSession ? { status: 200, json: nameOf(own) } : problem(401);
    }
    if (!hasSession) return problem(401);
    const [, id] = /^PATCH \/api\/admin\/team\/(.+)$/.exec(call) ?? [];
    if (id !== undefined) return change(id, body);
    switch (call) {
      case 'POST /api/admin/logout':
        hasSession = false;
        return { status: 204 };
      case 'GET /api/admin/session':
        return { status: 200, json: nameOf(own) };
      case 'GET /api/admin/stats':
        return { status: 200, json: stats };
      case 'GET /api/admin/recent-activity':
        return { status: 200, json: [] };
      case 'GET /api/admin/team':
        return { status: 200, json: members };
      case 'POST /api/admin/team':
        return add(body);
      default:
        return problem(404);
    }
  };

  return {
    calls,
    stats,
    count: (call) => calls.filter((each) => each === call).length,
    endSession: () => void (hasSession = false),
    install: (context) =>
      context.route(
        (url) => url.pathname.startsWith('/api/admin/'),
        async (route: Route) => {
          const request = route.request();
          const call = `${request.method()} ${new URL(request.url()).pathname}`;
          calls.push(call);
          const body = (request.postDataJSON() ?? {}) as Readonly<Record<string, string>>;
          const { status, json, headers } = answer(call, body);
          await route.fulfill({ status, ...(json !== undefined && { json }), ...(headers && { headers }) });
        },
      ),
  };
}
