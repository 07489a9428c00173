import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { validExample } from '@dune-tide/domain/test/examples';
import { expect } from 'chai';
import { mailTo, ownAddress, send, signIn } from '../../src/attacks/attack-suite.ts';

const inquire = (fields: Readonly<Record<string, string>>) =>
  send('POST', '/api/service-inquiry', { body: { ...validExample(serviceInquiryForm), ...fields } });

describe('A visitor', () => {
  it('deletes no saved view with a name, and takes only the own address out of them', async () => {
    const email = ownAddress();
    const name = 'Urgent Riyadh Town Mobile website week leads overdue contact';
    const members = [await signIn({ role: 'member' }), await signIn({ role: 'member' })];
    const views = [
      ['Urgent leads', 'q=riyadh+website&status=new'],
      ['Town', 'q=mobile&status=new'],
      ['Overdue this week', 'response=overdue'],
      [`Ask ${email}`, `q=${encodeURIComponent(email)}&status=new`],
    ];
    for (const member of members) {
      for (const [viewName, search] of views) await member.call('POST', '/views', { name: viewName, search });
    }
    expect((await inquire({ name, email })).status).to.equal(201);
    const { text = '' } = await mailTo(email, '');
    const [link = ''] = /\/receipt\/[\w-]{43}/.exec(text) ?? [];
    expect((await send('POST', `${link}/withdraw`)).status).to.equal(200);
    for (const member of members) {
      const left = JSON.parse((await member.call('GET', '/views')).text) as { name: string; search: string }[];
      expect(left.map((view) => [view.name, view.search])).to.deep.equal([
        ...views.slice(0, -1),
        ['Ask', 'status=new'],
      ]);
    }
  });

  it('puts no formula into a cell of the file of leads, whatever separates its cells', async () => {
    const company = "Acme;=cmd|'/c calc'!A1;x";
    const email = ownAddress();
    expect((await inquire({ company, email })).status).to.equal(201);
    const owner = await signIn({ role: 'owner' });
    const { text } = await owner.call('GET', '/leads.csv');
    const line = text.split('\r\n').find((each) => each.includes(email));
    expect(line).to.include(`,"Acme;'=cmd|'/c calc'!A1;x",`);
    expect(line).to.match(/^"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*$/);
  });
});
