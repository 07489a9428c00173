import { randomUUID } from 'node:crypto';
import type { passkeyCreationResponse } from '@dune-tide/domain/responses/own-account';
import type { Json } from '@dune-tide/domain/responses/schema';
import type { passkeyRequestResponse } from '@dune-tide/domain/responses/session';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { recipeForm } from '@dune-tide/domain/forms/recipe';
import { staffCalls } from '@dune-tide/domain/staff-calls';
import { validExample } from '@dune-tide/domain/test/examples';
import { createPasskey } from './software-authenticator.ts';
import { addStaff, codeAt, cookieOf, signIn, testPassword, type TestSession } from './staff-support.ts';
import { jsonRequest, type StoredLead, type TestApi, type TestRequest, type TestResponse } from './support.ts';

type StaffCalls = typeof staffCalls;
/** The calls that leave an entry in the audit log. */
type AuditedCallName = {
  [Name in keyof StaffCalls]: StaffCalls[Name] extends { readonly auditedAs: unknown } ? Name : never;
}[keyof StaffCalls];

interface Parts {
  /** The path parameters, in their order. */
  readonly ids?: readonly string[];
  readonly body?: unknown;
  readonly query?: string;
  /** Replaces the cookie of the session. */
  readonly cookie?: string;
}
/** Prepares what a call changes. */
type Prepare = (session: TestSession, api: TestApi) => Parts | Promise<Parts>;

const idOf = (response: TestResponse): string => (response.json() as { id: string }).id;
const newPassword = 'another correct horse battery';

async function addLead(api: TestApi): Promise<string> {
  return ((await api.post('/api/contact', validExample(contactForm))).json() as StoredLead).id;
}

/** Stores a lead. @returns the id of its failed email to the visitor */
async function failedEmail(api: TestApi): Promise<string> {
  const lead = { lead_id: await addLead(api), kind: 'acknowledgement' };
  await api.database('follow_ups').where(lead).update({ state: 'failed' });
  const { id } = await api.database('follow_ups').where(lead).first<{ id: string }>('id');
  return id;
}

async function addTotp(session: TestSession): Promise<string> {
  const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
  await session.post('/account/totp/confirm', { code: await codeAt(secret, 0) });
  return secret;
}

async function newPasskey(session: TestSession, api: TestApi) {
  const options = (await session.post('/account/passkeys/options', undefined)).json();
  return createPasskey(options as Json<typeof passkeyCreationResponse>, api.publicUrl);
}

async function addPasskey(session: TestSession, api: TestApi) {
  const { passkey, created } = await newPasskey(session, api);
  return { passkey, response: await session.post('/account/passkeys', { name: 'Laptop', ...created }) };
}

/** Enters the password of an account with a second factor. @returns the cookie of the sign-in */
async function beginSignIn({ account }: TestSession, api: TestApi): Promise<string> {
  return cookieOf(await api.post('/api/admin/login', { username: account.username, password: testPassword }));
}

async function addReply(session: TestSession, api: TestApi): Promise<Parts> {
  const leadId = await addLead(api);
  return { ids: [leadId, idOf(await session.post(`/leads/${leadId}/replies`, { subject: 'Film', text: 'Yes' }))] };
}

async function addNote(session: TestSession, api: TestApi): Promise<Parts> {
  const leadId = await addLead(api);
  return { ids: [leadId, idOf(await session.post(`/leads/${leadId}/notes`, { text: 'A note' }))] };
}

const ofNewLead =
  (body?: unknown): Prepare =>
  async (_, api) => ({ ids: [await addLead(api)], body });

const ofNewRecipe =
  (body?: unknown): Prepare =>
  async (session) => ({ ids: [idOf(await session.post('/recipes', validExample(recipeForm)))], body });

const preparations: Readonly<Record<AuditedCallName, Prepare>> = {
  signIn: ({ account }) => ({ body: { username: account.username, password: testPassword }, cookie: '' }),
  async signInWithCode(session, api) {
    const secret = await addTotp(session);
    return { cookie: await beginSignIn(session, api), body: { code: await codeAt(secret, 1) } };
  },
  async signInWithPasskey(session, api) {
    const { passkey } = await addPasskey(session, api);
    const cookie = await beginSignIn(session, api);
    const asked = await api.send({
      method: 'POST',
      path: '/api/admin/login/passkey/options',
      headers: { Cookie: cookie },
    });
    return { cookie, body: passkey.use(asked.json() as Json<typeof passkeyRequestResponse>) };
  },
  signOut: () => ({}),
  changeOwnAccount: () => ({ body: { name: 'Another name' } }),
  async endOtherSessions({ account }, api) {
    await signIn(api, account);
    return {};
  },
  async endSession(session, api) {
    await signIn(api, session.account);
    const listed = (await session.get('/account/sessions')).json() as { id: string; isCurrent: boolean }[];
    return { ids: [listed.find(({ isCurrent }) => !isCurrent)?.id ?? ''] };
  },
  confirmPassword: () => ({ body: { password: testPassword } }),
  changeOwnPassword: () => ({ body: { currentPassword: testPassword, password: newPassword } }),
  async confirmTotp(session) {
    const { secret } = (await session.post('/account/totp', undefined)).json() as { secret: string };
    return { body: { code: await codeAt(secret, 0) } };
  },
  async removeTotp(session) {
    await addTotp(session);
    return {};
  },
  async addPasskey(session, api) {
    return { body: { name: 'Laptop', ...(await newPasskey(session, api)).created } };
  },
  async removePasskey(session, api) {
    await addPasskey(session, api);
    const { passkeys } = (await session.get('/account')).json() as { passkeys: { id: string }[] };
    return { ids: [passkeys[0]?.id ?? ''] };
  },
  async replaceRecoveryCodes(session) {
    await addTotp(session);
    return {};
  },
  addAccount: () => ({ body: { name: 'Thabo', username: `thabo-${randomUUID()}`, password: newPassword } }),
  changeAccount: async (_, api) => ({ ids: [(await addStaff(api)).id], body: { isActive: false } }),

  exportLeads: () => ({}),
  changeLead: ofNewLead({ status: 'contacted' }),
  changeLeads: async (_, api) => ({ body: { ids: [await addLead(api)], status: 'contacted' } }),
  markLeadAsSpam: ofNewLead(),
  async releaseLead(session, api) {
    const id = await addLead(api);
    await session.post(`/leads/${id}/spam`, undefined);
    return { ids: [id] };
  },
  reply: ofNewLead({ subject: 'Film', text: 'Yes' }),
  undoReply: addReply,
  addNote: ofNewLead({ text: 'A note' }),
  editNote: async (session, api) => ({ ...(await addNote(session, api)), body: { text: 'Another note' } }),
  deleteNote: addNote,

  async retryFollowUps(_, api) {
    await failedEmail(api);
    return { body: { state: 'failed' } };
  },
  async cancelFollowUps(_, api) {
    await failedEmail(api);
    return { body: { state: 'failed' } };
  },
  async removeOptOut(_, api) {
    const id = randomUUID();
    await api.database('email_opt_outs').insert({ id, mailbox: `${id}@example.com` });
    return { ids: [id] };
  },
  retryFollowUp: async (_, api) => ({ ids: [await failedEmail(api)] }),
  correctRecipient: async (_, api) => ({ ids: [await failedEmail(api)], body: { email: 'noura@example.org' } }),
  cancelFollowUp: async (_, api) => ({ ids: [await failedEmail(api)] }),

  addRecipe: () => ({ body: validExample(recipeForm) }),
  changeRecipe: ofNewRecipe({ title: 'Another title' }),
  deleteRecipe: ofNewRecipe(),

  addView: () => ({ body: { name: 'A view' } }),
  orderViews: () => ({ body: { ids: [] } }),
  deleteView: async (session) => ({ ids: [idOf(await session.post('/views', { name: 'A view' }))] }),

  exportPerson: () => ({ query: '?email=noura@example.com' }),
  async erasePerson(_, api) {
    await addLead(api);
    return { body: { email: 'noura@example.com' } };
  },
};

/** The names of the calls that leave an entry. */
export const auditedCallNames = Object.keys(preparations) as readonly AuditedCallName[];

/** Prepares what a call changes. @returns the request, which succeeds */
export async function prepareCall(name: AuditedCallName, session: TestSession, api: TestApi): Promise<TestRequest> {
  const { ids = [], body, query = '', cookie = session.cookie } = await preparations[name](session, api);
  const { method, path } = staffCalls[name];
  const left = [...ids];
  const request = jsonRequest(method, `${path.replaceAll(/:\w+/g, () => left.shift() ?? '')}${query}`, body);
  return { ...request, headers: { ...request.headers, Cookie: cookie } };
}
