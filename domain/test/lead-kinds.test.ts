import { expect } from 'chai';
import { optionalLine, text } from '../src/forms/fields.ts';
import { contactForm } from '../src/forms/contact.ts';
import { projectInquiryForm } from '../src/forms/project-inquiry.ts';
import type { FormSchema } from '../src/forms/form-schema.ts';
import { leadDefinitions, leadKinds } from '../src/leads.ts';
import { contact } from '../src/leads/contact.ts';
import type { FieldDeclaration, KindDeclaration } from '../src/leads/declaration.ts';
import {
  define,
  detailsOf,
  membersOf,
  noticeOf,
  quoteOf,
  receiptFields,
  searchedFields,
  searchedParts,
  toStored,
} from '../src/leads/definition.ts';
import { csvColumns, leadSchema } from '../src/responses/lead.ts';
import { searchText } from '../src/search.ts';
import { validExample } from './examples.ts';

const form = {
  ...contactForm,
  properties: {
    ...contactForm.properties,
    company: optionalLine('Company', 100),
    wish: text('Wish', { min: 1, message: '' }),
  },
} as const satisfies FormSchema;

/** Contact messages with two more fields. */
const withFields = (company: FieldDeclaration<'company'>) => {
  const declaration = {
    ...contact,
    form,
    formOf: () => form,
    fields: { ...contact.fields, company, wish: { storedAs: 'wishText' } },
  } satisfies KindDeclaration<typeof form, never>;
  return define(declaration);
};
const kind = withFields({ notice: true, isQuoted: true });
const sent = { ...validExample(contactForm), company: 'Najd Logistics', wish: 'Soon' };
const stored = toStored(kind, form, sent);
const shown = { label: 'Company', text: 'Najd Logistics' };

describe('a field that is added to a kind of lead', () => {
  it('is stored, and so exported to the person, under its stored name', () => {
    expect(stored).to.deep.equal({ ...validExample(contactForm), company: 'Najd Logistics', wishText: 'Soon' });
  });

  it('is in responses and in the CSV', () => {
    const { properties, required } = leadSchema(kind);
    expect(properties['company']).to.deep.equal({ anyOf: [{ type: 'string' }, { type: 'null' }] });
    expect(properties).to.include.keys('wishText').and.not.include.keys('wish');
    expect(required).to.include.members(['company', 'wishText']);
    expect(membersOf(kind, stored, { status: 'new' })).to.include({ company: 'Najd Logistics', wishText: 'Soon' });
    expect(membersOf(kind, {}, { status: 'new' })).to.include({ company: null });
    expect(csvColumns([kind])).to.include.members(['company', 'wishText']);
  });

  it('is on the receipt, in the details and in notices, with the label of the form', () => {
    expect(receiptFields(kind, stored)).to.deep.include(shown).and.deep.include({ label: 'Wish', text: 'Soon' });
    expect(noticeOf(kind, stored)).to.deep.include(shown);
    const details = { label: 'Company', display: 'text', value: 'Najd Logistics' };
    expect(detailsOf(kind, stored)).to.deep.include(details);
    expect(detailsOf(kind, membersOf(kind, stored, {}))).to.deep.include(details);
    expect(detailsOf(kind, {})).to.deep.include({ ...details, value: null });
  });

  it('is searched, named as the place of a found word, and quoted', () => {
    expect(searchText(searchedFields(kind, stored))).to.include(' najd logistics');
    expect(searchedParts(kind, stored)).to.deep.include(shown);
    expect(quoteOf(kind, stored)).to.match(/\n\nNajd Logistics$/);
  });

  it('is in none of the parts that its declaration leaves out', () => {
    const plain = withFields({});
    expect(noticeOf(plain, stored)).to.not.deep.include(shown);
    expect(quoteOf(plain, stored)).to.not.include('Najd');
  });

  it('is only on the receipt if another field contains it', () => {
    const contained = withFields({ partOf: 'company' });
    expect(receiptFields(contained, stored)).to.deep.include(shown);
    expect(leadSchema(contained).properties).to.not.include.keys('company');
    expect(membersOf(contained, stored, {})).to.not.include.keys('company');
    expect(detailsOf(contained, stored).map(({ label }) => label)).to.not.include('Company');
  });
});

describe('the quote of a project inquiry', () => {
  const inquiry = leadDefinitions.service_inquiry;
  const project = toStored(inquiry, projectInquiryForm, validExample(projectInquiryForm));

  it('has the composed details, and the goals only if the details do not contain them', () => {
    expect(quoteOf(inquiry, project)).to.equal(project['projectDetails']);
    expect(quoteOf(inquiry, { ...project, goals: 'More sales.' })).to.match(/\n\nMore sales\.$/);
    const cut = { ...project, projectDetails: 'In short: an app.' };
    expect(quoteOf(inquiry, cut)).to.equal(`In short: an app.\n\n${String(project['goals'])}`);
  });
});

describe('the order of a kind', () => {
  for (const name of leadKinds) {
    it(`of ${name} names members that it has`, () => {
      const { declaration, ordered, hasUpdateTime } = leadDefinitions[name];
      const members = [...ordered.map(({ key }) => key), 'status', ...(hasUpdateTime ? ['updatedAt'] : [])];
      expect(members).to.include.members([...declaration.order]);
    });
  }
});
