import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { careerApplicationForm } from '@dune-tide/domain/forms/career-application';
import { contactForm } from '@dune-tide/domain/forms/contact';
import { discoveryForm } from '@dune-tide/domain/forms/discovery';
import { projectInquiryForm } from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import type { ReactElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import CareerApplicationForm from '../../src/features/career-application/CareerApplicationForm.tsx';
import { positionChoice } from '../../src/features/career-application/position-choice.ts';
import ContactForm from '../../src/features/contact/ContactForm.tsx';
import DiscoveryForm from '../../src/features/inquiries/DiscoveryForm.tsx';
import ProjectInquiryForm from '../../src/features/inquiries/ProjectInquiryForm.tsx';
import ServiceInquiryForm from '../../src/features/inquiries/ServiceInquiryForm.tsx';

/** A rule at its boundary: the longest rejected value and the shortest accepted one. */
interface BoundaryRule {
  readonly name: string;
  readonly message: string;
  readonly refused: readonly string[];
  readonly taken: readonly string[];
}

interface ExpectedForm {
  readonly name: string;
  readonly schema: { readonly properties: object };
  /** The fields that the form composes or sends empty. */
  readonly withoutInput?: readonly string[];
  readonly form: ReactElement;
  readonly rules: readonly BoundaryRule[];
}

const questions = servicePages['ugc-creatives'];
const lastOf = (name: 'service' | 'budget' | 'timeframe' | 'urgency'): string =>
  questions[name].options.at(-1)?.value ?? '';

const forms: readonly ExpectedForm[] = [
  {
    name: 'contact form',
    schema: contactForm,
    form: <ContactForm />,
    rules: [
      { name: 'firstName', message: 'First name is required', refused: ['', '   '], taken: ['N', 'N\tH\u200b'] },
      { name: 'lastName', message: 'Last name is required', refused: ['', '\u00a0\u200b'], taken: ['H'] },
      {
        name: 'email',
        message: 'Invalid email address',
        refused: ['', 'noura', 'noura@example', 'a@b.co, c@d.co'],
        taken: ['a@b.co'],
      },
      { name: 'service', message: 'Please select a service', refused: [''], taken: ['ugc', 'mvp', 'leadgen', 'all'] },
      {
        name: 'message',
        message: 'Message must be at least 10 characters',
        refused: ['', '123456789', ' 123456789 ', '🌊'.repeat(9)],
        taken: ['1234567890', '🌊'.repeat(10)],
      },
    ],
  },
  {
    name: 'job application',
    schema: careerApplicationForm,
    withoutInput: ['resume'],
    form: <CareerApplicationForm choice={positionChoice()} />,
    rules: [
      { name: 'firstName', message: 'First name is required', refused: ['', '   '], taken: ['N'] },
      { name: 'lastName', message: 'Last name is required', refused: ['', ' '], taken: ['N'] },
      { name: 'email', message: 'Invalid email address', refused: ['', 'thandi@example'], taken: ['a@b.co'] },
      {
        name: 'phone',
        message: 'Phone number must be at least 10 digits',
        refused: ['', '123456789', ' 123456789 '],
        taken: ['1234567890', '+27 21 555'],
      },
      { name: 'position', message: 'Please select a position', refused: [''], taken: ['other'] },
      { name: 'experience', message: 'Please select your experience level', refused: [''], taken: ['entry', 'lead'] },
      {
        name: 'portfolio',
        message: 'Please enter a valid URL',
        refused: ['example', 'javascript:alert(1)', 'https://'],
        taken: ['', 'www.example.com', 'https://example.com', 'http://example.com/work?a=1#b'],
      },
      {
        name: 'coverLetter',
        message: 'Cover letter must be at least 50 characters',
        refused: ['', 'x'.repeat(49), ` ${'x'.repeat(49)} `],
        taken: ['x'.repeat(50), '🌊'.repeat(50)],
      },
    ],
  },
  {
    name: 'discovery request',
    schema: discoveryForm,
    form: <DiscoveryForm />,
    rules: [
      { name: 'name', message: 'Name must be at least 2 characters', refused: ['', 'F', ' F '], taken: ['Fa'] },
      { name: 'email', message: 'Please enter a valid email address', refused: ['', 'faisal'], taken: ['a@b.co'] },
      { name: 'company', message: 'Company/Organization name is required', refused: ['', 'S'], taken: ['Sa'] },
      { name: 'organizationType', message: 'Please select organization type', refused: [''], taken: ['VC Firm'] },
      { name: 'investmentRange', message: 'Please select investment range', refused: [''], taken: ['$250,000+'] },
      { name: 'timeframe', message: 'Please select timeframe', refused: [''], taken: ['Flexible'] },
      {
        name: 'specificSolutions',
        message: 'Please select area of interest',
        refused: [''],
        taken: ['Multiple Solutions'],
      },
      {
        name: 'currentChallenges',
        message: 'Please describe your current challenges (minimum 20 characters)',
        refused: ['', 'x'.repeat(19)],
        taken: ['x'.repeat(20)],
      },
      {
        name: 'aiGoals',
        message: 'Please describe your AI goals (minimum 20 characters)',
        refused: ['', ` ${'x'.repeat(19)} `],
        taken: ['x'.repeat(20)],
      },
    ],
  },
  {
    name: 'project inquiry',
    schema: projectInquiryForm,
    withoutInput: ['service', 'projectDetails', 'goals'],
    form: <ProjectInquiryForm />,
    rules: [
      { name: 'name', message: 'Name must be at least 2 characters', refused: ['', 'L', ' L '], taken: ['Lo'] },
      {
        name: 'email',
        message: 'Please enter a valid email address',
        refused: ['', 'lerato', 'lerato@example'],
        taken: ['a@b.co'],
      },
      { name: 'serviceType', message: 'Please select a service type', refused: [''], taken: ['AI Integration'] },
      {
        name: 'businessDescription',
        message: 'Please describe your business (minimum 10 characters)',
        refused: ['', '123456789', ' 123456789 '],
        taken: ['1234567890'],
      },
      {
        name: 'projectDescription',
        message: 'Please describe your project (minimum 10 characters)',
        refused: ['', '123456789'],
        taken: ['1234567890'],
      },
      {
        name: 'specificFeatures',
        message: 'Please describe the specific features you need (minimum 20 characters)',
        refused: ['', '1234567890123456789'],
        taken: ['12345678901234567890'],
      },
      { name: 'budget', message: 'Please select your budget range', refused: [''], taken: ['$100,000+'] },
      { name: 'timeframe', message: 'Please select your timeframe', refused: [''], taken: ['6+ months'] },
      { name: 'urgency', message: 'Please select urgency level', refused: [''], taken: ['High'] },
      {
        name: 'successCriteria',
        message: 'Please describe your success criteria (minimum 20 characters)',
        refused: ['', '1234567890123456789'],
        taken: ['12345678901234567890'],
      },
      {
        name: 'competitors',
        message: 'Please describe your competitors (minimum 10 characters)',
        refused: ['', '123456789'],
        taken: ['1234567890'],
      },
    ],
  },
  {
    name: 'service inquiry',
    schema: serviceInquiryForm,
    withoutInput: ['serviceType'],
    form: <ServiceInquiryForm questions={questions} texts={servicePageContents['ugc-creatives'].form} />,
    rules: [
      { name: 'name', message: 'Name must be at least 2 characters', refused: ['', 'N', ' N '], taken: ['No'] },
      {
        name: 'email',
        message: 'Please enter a valid email address',
        refused: ['', 'noura', 'noura@example', 'a@b.co, c@d.co'],
        taken: ['a@b.co'],
      },
      { name: 'service', message: 'Please select a service', refused: [''], taken: [lastOf('service')] },
      { name: 'budget', message: 'Please select your budget range', refused: [''], taken: [lastOf('budget')] },
      { name: 'timeframe', message: 'Please select your timeframe', refused: [''], taken: [lastOf('timeframe')] },
      { name: 'urgency', message: 'Please select urgency level', refused: [''], taken: [lastOf('urgency')] },
      {
        name: 'projectDetails',
        message: 'Please provide project details (minimum 10 characters)',
        refused: ['', '123456789', ' 123456789 ', '🌊'.repeat(9)],
        taken: ['1234567890', '🌊'.repeat(10)],
      },
    ],
  },
];

const open = (form: ReactElement): HTMLFormElement => {
  render(<MemoryRouter>{form}</MemoryRouter>);
  return screen.getByRole('form');
};

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns the field with a name; for a radio group, its first option. */
function controlOf(form: HTMLFormElement, name: string): Control {
  return form.querySelector<Control>(`[name="${name}"]`) ?? expect.fail(`no field ${name}`);
}

/** Returns the element that the message describes: the field or its radio group. */
const describedOf = (control: Control): Element => control.closest('[role="radiogroup"]') ?? control;

function stateOf(form: HTMLFormElement, name: string): { message: string; isInvalid: boolean } {
  const described = describedOf(controlOf(form, name));
  // A hint comes before the message.
  const messageId = described.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
  return {
    message: document.getElementById(messageId)?.textContent ?? '',
    isInvalid: described.getAttribute('aria-invalid') === 'true',
  };
}

const fine = { message: '', isInvalid: false };

const focus = (control: Control): void => act(() => control.focus());
const leave = (control: Control): void => act(() => control.blur());

/** Changes a field as a visitor does, and leaves it. */
function change(form: HTMLFormElement, name: string, value: string): void {
  const control = controlOf(form, name);
  focus(control);
  if (control.type === 'radio') {
    fireEvent.click(form.querySelector(`[name="${name}"][value="${value}"]`) ?? expect.fail(`no option ${value}`));
  } else fireEvent.change(control, { target: { value } });
  leave(control);
}

const isGroup = (form: HTMLFormElement, name: string): boolean => controlOf(form, name).type === 'radio';

for (const { name: title, form: element, schema, withoutInput = [], rules } of forms) {
  describe(`the fields of the ${title}`, () => {
    it('have an input each, so that visitors can fill them in', () => {
      const form = open(element);
      const missing = Object.keys(schema.properties).filter((name) => form.querySelector(`[name="${name}"]`) === null);
      expect(missing).to.have.members(withoutInput);
    });

    it('show no message when the visitor only tabs through them', () => {
      const form = open(element);
      for (const { name } of rules) {
        focus(controlOf(form, name));
        leave(controlOf(form, name));
        expect(stateOf(form, name), name).to.deep.equal(fine);
      }
    });

    it('show the message of their rule at its boundary, once they are changed and left', () => {
      const form = open(element);
      for (const { name, message, refused, taken } of rules) {
        for (const value of refused) {
          // A radio group cannot be cleared, so it is only missing on submit.
          if (isGroup(form, name) && value === '') continue;
          if (value === '') change(form, name, taken[0] ?? 'any');
          change(form, name, value);
          expect(stateOf(form, name), `${name}: ${value}`).to.deep.equal({ message, isInvalid: true });
        }
        for (const value of taken) {
          change(form, name, value);
          expect(stateOf(form, name), `${name}: ${value}`).to.deep.equal(fine);
        }
      }
    });

    it('show all messages of missing values on submit, and the first one gets the focus', async () => {
      const form = open(element);
      fireEvent.submit(form);
      const first = rules.find(({ refused }) => refused.includes(''));
      await waitFor(() => expect(document.activeElement?.getAttribute('name')).to.equal(first?.name, 'the focus'));
      for (const { name, message, refused } of rules) {
        expect(stateOf(form, name), name).to.deep.equal(refused.includes('') ? { message, isInvalid: true } : fine);
      }
    });
  });
}

describe('input with invisible characters and other spellings', () => {
  const typed = {
    firstName: '\u2068Noura\u2069\t',
    lastName: 'al\u00a0Harbi',
    email: 'noura\u200b@example.com',
    phone: '٠٥٠ ٥٥٥ ٠١٢٣',
    position: 'other',
    experience: 'mid',
    portfolio: 'www.noura.example/work',
    coverLetter: `${'x'.repeat(50)}\u200b\t٣`,
  };

  it('stays in the field as typed and is sent normalised', async () => {
    const sent: unknown[] = [];
    globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'GET') return Response.json({ token: 'token' });
      sent.push(await request.json());
      return Response.json({ title: 'Service Unavailable', status: 503 }, { status: 503 });
    };
    const form = open(<CareerApplicationForm choice={positionChoice()} />);
    for (const [name, value] of Object.entries(typed)) change(form, name, value);
    for (const [name, value] of Object.entries(typed)) {
      expect(stateOf(form, name), name).to.deep.equal(fine);
      expect(controlOf(form, name).value, name).to.equal(value);
    }
    await act(async () => void fireEvent.submit(form));
    await waitFor(() => expect(sent).to.have.length(1));
    expect(sent[0]).to.deep.include({
      ...typed,
      firstName: 'Noura',
      lastName: 'al Harbi',
      email: 'noura@example.com',
      phone: '050 555 0123',
      portfolio: 'https://www.noura.example/work',
    });
    expect(controlOf(form, 'phone').value).to.equal(typed.phone);
  });
});
