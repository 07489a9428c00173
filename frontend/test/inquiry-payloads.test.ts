import { composeProjectDetails, type ProjectInquiry } from '@dune-tide/domain/forms/project-inquiry';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { maxBodyBytes, maxLength } from '@dune-tide/domain/limits';
import { expect } from 'chai';
import { projectInquiryPayload } from '../src/features/inquiries/project-inquiry-payload.ts';
import { initialServiceInquiry } from '../src/features/inquiries/initial-service-inquiry.ts';

const fields: ProjectInquiry = {
  name: 'Lerato Mokoena',
  email: 'lerato@example.com',
  serviceType: 'Mobile App Development',
  budget: '$25,000-$50,000',
  timeframe: '2-3 months',
  urgency: 'Medium',
  businessDescription: 'We roast coffee and run four cafés.',
  projectDescription: 'An app to order ahead and to collect stamps.',
  specificFeatures: 'Ordering, payment, stamps, a screen for the barista.',
  successCriteria: 'A third of the morning orders come through the app.',
  competitors: 'The two big chains in town.',
  service: 'Project Inquiry',
};

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Returns fields whose body, with the composed texts, is `size` bytes long. */
function fieldsOfSize(size: number): ProjectInquiry {
  const long = 'a'.repeat(maxLength.text);
  const filled = (competitors: string, company: string): ProjectInquiry => ({
    ...fields,
    businessDescription: long,
    projectDescription: long,
    specificFeatures: long,
    successCriteria: long,
    competitors,
    company,
  });
  const composed = (values: ProjectInquiry): number =>
    bytes({ ...values, projectDetails: composeProjectDetails(values), goals: values.successCriteria });
  // Each three-byte letter of `competitors` is in the body twice. `company` is in it once, so it fills the rest.
  const letters = '海'.repeat(Math.floor((size - composed(filled('', ''))) / 6));
  return filled(letters, 'a'.repeat(size - composed(filled(letters, ''))));
}

describe('The body that the project inquiry sends', () => {
  it('contains the fields, the composed texts and the fixed service', () => {
    expect(projectInquiryPayload(fields)).to.deep.equal({
      ...fields,
      service: 'Project Inquiry',
      projectDetails:
        'Business description:\nWe roast coffee and run four cafés.\n\n' +
        'Project description:\nAn app to order ahead and to collect stamps.\n\n' +
        'Specific features:\nOrdering, payment, stamps, a screen for the barista.\n\n' +
        'Success criteria:\nA third of the morning orders come through the app.\n\n' +
        'Competitors:\nThe two big chains in town.',
      goals: 'A third of the morning orders come through the app.',
    });
  });

  it('contains optional fields only if they were given', () => {
    expect(projectInquiryPayload(fields)).not.to.have.any.keys('company', 'phone');
    const whole = { ...fields, company: 'Cape Roasters', phone: '+27 21 555 0199' };
    expect(projectInquiryPayload(whole)).to.include({ company: 'Cape Roasters', phone: '+27 21 555 0199' });
  });

  it('contains the composed texts up to the exact size that the server accepts', () => {
    const whole = projectInquiryPayload(fieldsOfSize(maxBodyBytes));
    expect(bytes(whole)).to.equal(maxBodyBytes);
    expect(whole).to.include.keys('projectDetails', 'goals');
  });

  it('omits the composed texts if they would make it one byte too large', () => {
    const values = fieldsOfSize(maxBodyBytes + 1);
    expect(projectInquiryPayload(values)).to.equal(values);
    expect(bytes(values)).to.be.below(maxBodyBytes);
    expect(values).not.to.have.any.keys('projectDetails', 'goals');
  });

  it('is measured in bytes, not letters, so long Arabic values are sent without the composed texts', () => {
    const long = 'م'.repeat(maxLength.text);
    const values = { ...fields, businessDescription: long, projectDescription: long, specificFeatures: long };
    expect(projectInquiryPayload({ ...values, successCriteria: long })).not.to.have.any.keys('projectDetails', 'goals');
  });
});

describe('The initial values of a service page', () => {
  const serviceTypes = {
    'ugc-creatives': 'UGC Creatives',
    'mvp-development': 'MVP Development',
    'lead-generation': 'Lead Generation',
    consulting: 'Consulting',
  } as const;

  for (const [slug, serviceType] of Object.entries(serviceTypes)) {
    it(`are the service type ${serviceType} on /services/${slug}`, () => {
      const questions = servicePages[slug as keyof typeof servicePages];
      expect(initialServiceInquiry(questions)).to.deep.equal({ serviceType });
    });
  }
});
