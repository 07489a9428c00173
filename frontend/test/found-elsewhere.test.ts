import { searchTerms } from '@dune-tide/domain/search';
import { expect } from 'chai';
import { foundElsewhere } from '../src/features/leads/list/found-elsewhere.ts';
import type { ListedLead } from '../src/features/leads/lead.ts';

const message = `We are a family business in Jeddah.
Since 1998 we have made oud, and this spring a new perfume for women will follow. ${'More. '.repeat(80)}`;
const contact = { kind: 'contact', message } as ListedLead;
const inquiry = {
  kind: 'service_inquiry',
  company: 'Nur Perfumes',
  phone: '+27 82 555 0110',
  service: 'UGC Creatives',
  serviceType: 'Videos',
  projectDetails: 'Ten films about perfume.',
  goals: null,
} as ListedLead;
const shown = ['Noura al-Harbi', 'noura@example.com'];
const found = (lead: ListedLead, search: string, texts: readonly string[] = shown) =>
  foundElsewhere(lead, searchTerms(search), texts);

describe('The place where a search has found a lead', () => {
  it('is not named if the row shows every word', () => {
    expect(found(contact, 'noura harbi')).to.equal(undefined);
    expect(found(contact, '')).to.equal(undefined);
  });

  it('is the part of the message around the first word that the row does not show, on one line', () => {
    const passage = found(contact, 'noura perfume');
    expect(passage?.label).to.equal('Message');
    expect(passage?.text).to.match(/^…oud, and this spring a new perfume for women will follow\. More\./);
    expect(passage?.text.length).to.be.lessThan(250);
    expect(found(contact, 'jeddah')?.text).to.match(/^We are a family business in Jeddah\. Since 1998/);
  });

  it('is the first field that has the word, and none that the row shows', () => {
    expect(found(inquiry, 'perfume')).to.deep.equal({ label: 'Company', text: 'Nur Perfumes' });
    expect(found(inquiry, '0825550110')).to.deep.equal({ label: 'Phone', text: '+27 82 555 0110' });
    expect(found(inquiry, 'films')).to.deep.equal({ label: 'Project details', text: 'Ten films about perfume.' });
    expect(found(inquiry, 'perfume', [...shown, 'Nur Perfumes'])).to.equal(undefined);
  });

  it('is named in texts without spaces and in Arabic', () => {
    const word = 'ا'.repeat(200);
    expect(found({ ...contact, message: `${word}عطور` } as ListedLead, 'عطور')?.text).to.equal('…عطور');
    expect(found({ ...contact, message: 'نبحث عن صانع محتوى لعطورنا' } as ListedLead, 'عطور')?.text).to.equal(
      'نبحث عن صانع محتوى لعطورنا',
    );
  });
});
