import { randomUUID } from 'node:crypto';
import { leadKinds } from '@dune-tide/domain/leads';
import { withTestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { leadLists } from '../src/leads/lists.ts';
import { leadLookup, NoLeadError } from '../src/leads/lookup.ts';
import { insert, leadRow } from './rows.ts';

describe('leadLookup', () => {
  const test = withTestDatabase();
  const failure = (lookup: Promise<unknown>): Promise<unknown> => lookup.catch((error: unknown) => error);

  it('returns the lead of each follow-up, even for concurrent look-ups', async () => {
    const ids: string[] = [];
    for (const kind of leadKinds) ids.push(String((await insert(test().database, 'leads', leadRow(kind)))['id']));
    const leadOf = leadLookup(test().database);
    // Each lead twice, because it can have an acknowledgement and a notice.
    const wanted = [...ids, ...ids];
    const leads = await Promise.all(wanted.map((leadId) => leadOf({ id: randomUUID(), leadId })));
    expect(leads).to.deep.equal(await Promise.all(wanted.map((id) => leadLists(test().database).one(id))));
  });

  it('throws a NoLeadError for a follow-up without a lead, or whose lead was deleted', async () => {
    const id = String((await insert(test().database, 'leads', leadRow()))['id']);
    const leadOf = leadLookup(test().database);
    const [none, gone, there] = await Promise.all([
      failure(leadOf({ id: randomUUID(), leadId: null })),
      failure(leadOf({ id: randomUUID(), leadId: randomUUID() })),
      leadOf({ id: randomUUID(), leadId: id }),
    ]);
    expect(none).to.be.instanceOf(NoLeadError);
    expect(gone).to.be.instanceOf(NoLeadError);
    expect(there).to.include({ id });
  });
});
