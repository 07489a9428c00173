import { expect } from 'chai';
import { withTestApi } from './support.ts';

describe('an API whose role lacks a right', () => {
  const api = withTestApi();

  it('returns 503, logs the error code of the database, and works again after the right is granted', async () => {
    const contact = { firstName: 'Noura', lastName: 'al-Harbi', email: 'noura@example.com', service: 'all' };
    const post = () => api().post('/api/contact', { ...contact, message: 'We look for leads in the Gulf.' });

    await api().database.raw('revoke insert on leads from app');
    const refused = await post();
    expect(refused.status).to.equal(503);
    expect(refused.text).to.not.include('permission');
    expect(JSON.stringify(api().logLines())).to.include('"code":"42501"');
    expect(await api().leads()).to.deep.equal([]);

    await api().database.raw('grant insert on leads to app');
    expect((await post()).status).to.equal(201);
    expect(await api().leads()).to.have.length(1);
  });
});
