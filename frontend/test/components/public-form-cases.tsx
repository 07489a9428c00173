import { servicePageContents } from '@dune-tide/domain/content/service-pages';
import { careerApplicationForm, experienceLevels, positions } from '@dune-tide/domain/forms/career-application';
import { contactForm, contactServices } from '@dune-tide/domain/forms/contact';
import {
  discoveryForm,
  discoveryInterests,
  type DiscoveryRequest,
  discoveryTimeframes,
  investmentRanges,
  organizationTypes,
  toServiceInquiry,
} from '@dune-tide/domain/forms/discovery';
import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import type { Option } from '@dune-tide/domain/forms/option';
import { portfolioRequestForm } from '@dune-tide/domain/forms/portfolio-request';
import {
  composeProjectDetails,
  projectBudgets,
  type ProjectInquiry,
  projectInquiryForm,
  projectServiceTypes,
  projectTimeframes,
  projectUrgencies,
} from '@dune-tide/domain/forms/project-inquiry';
import { serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import { act, fireEvent, render, screen } from '@testing-library/react/pure';
import { expect } from 'chai';
import { cloneElement, type ReactElement, useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import CareerApplicationForm from '../../src/features/career-application/CareerApplicationForm.tsx';
import { positionChoice } from '../../src/features/career-application/position-choice.ts';
import ContactForm from '../../src/features/contact/ContactForm.tsx';
import DiscoveryForm from '../../src/features/inquiries/DiscoveryForm.tsx';
import ProjectInquiryForm from '../../src/features/inquiries/ProjectInquiryForm.tsx';
import ServiceInquiryForm from '../../src/features/inquiries/ServiceInquiryForm.tsx';
import PortfolioModal from '../../src/features/portfolio-request/PortfolioModal.tsx';
import ToastStack from '../../src/toasts/ToastStack.tsx';

/** A rule at its boundary: the longest rejected value and the shortest accepted one. */
interface BoundaryRule {
  readonly name: string;
  readonly message: string;
  readonly refused: readonly string[];
  readonly taken: readonly string[];
}

type Values = Readonly<Record<string, string>>;

/** A public form and what a visitor expects of it (docs/PRODUCT.md, "Form behaviour"). */
export interface PublicFormCase {
  readonly name: string;
  readonly schema: FormSchema;
  /** The fields that the form composes or sends empty. */
  readonly withoutInput?: readonly string[];
  readonly form: ReactElement;
  readonly path: string;
  /** Selections by field, with their options. */
  readonly lists: Readonly<Record<string, readonly Option[]>>;
  /** Valid values of all inputs, in the order of the form. */
  readonly example: Values;
  readonly api: string;
  /** Returns the body that the form sends. */
  readonly bodyOf: (values: Values) => object;
  readonly button: string;
  readonly pendingButton: string;
  readonly thanks: { readonly title?: string; readonly text: string };
  readonly failure: string;
  /** The values that the form repeats after a success. */
  readonly received: readonly string[];
  readonly rules: readonly BoundaryRule[];
}

/** The service page whose form is tested: all four share it. */
const questions = servicePages['ugc-creatives'];
const lastOf = (name: 'service' | 'budget' | 'timeframe' | 'urgency'): string =>
  questions[name].options.at(-1)?.value ?? '';

/** The forms of the pages. Each keeps a draft. */
export const formCases: readonly PublicFormCase[] = [
  {
    name: 'contact form',
    schema: contactForm,
    form: <ContactForm />,
    path: '/',
    lists: { service: contactServices },
    example: {
      firstName: 'Noura',
      lastName: 'al-Harbi',
      email: 'noura@example.com',
      service: 'mvp',
      message: 'We are launching a line of oud perfumes.',
    },
    api: '/api/contact',
    bodyOf: (values) => values,
    button: 'Send Message',
    pendingButton: 'Sending...',
    thanks: { text: "Your message has been sent successfully. We'll get back to you soon." },
    failure: 'Failed to send message. Please try again.',
    received: ['Noura al-Harbi', 'noura@example.com', 'MVP Development', 'We are launching a line of oud perfumes.'],
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
    path: '/careers',
    lists: { position: positions, experience: experienceLevels },
    example: {
      firstName: 'Thandi',
      lastName: 'Nkosi',
      email: 'thandi@example.com',
      phone: '+27 21 555 0134',
      position: 'other',
      experience: 'mid',
      portfolio: 'https://example.com/thandi',
      coverLetter: 'I have built two booking systems and would like to build the third with you.',
    },
    api: '/api/careers',
    bodyOf: (values) => values,
    button: 'Submit Application',
    pendingButton: 'Submitting Application...',
    thanks: {
      title: 'Application Submitted!',
      text: "Thank you for your interest. We'll review your application and get back to you soon.",
    },
    failure: 'Failed to submit application. Please try again.',
    received: ['Thandi Nkosi', 'thandi@example.com', 'Other / General Application', 'Mid Level (2-5)'],
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
        message: 'Please enter a web address, e.g. https://example.com',
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
    path: '/kingrose',
    lists: {
      organizationType: organizationTypes,
      investmentRange: investmentRanges,
      timeframe: discoveryTimeframes,
      specificSolutions: discoveryInterests,
    },
    example: {
      name: 'Faisal al-Otaibi',
      email: 'faisal@example.com',
      company: 'Sabkha Capital',
      phone: '+966 11 555 0134',
      organizationType: 'Private Equity',
      investmentRange: '$10,000-$20,000',
      timeframe: '3-4 months',
      specificSolutions: 'Automated Due Diligence Tools',
      currentChallenges: 'Data rooms take our analysts three weeks.',
      aiGoals: 'A first reading within a day, with sources.',
    },
    api: '/api/service-inquiry',
    bodyOf: (values) => toServiceInquiry(values as unknown as DiscoveryRequest),
    button: 'Request Discovery Session',
    pendingButton: 'Submitting...',
    thanks: {
      title: 'Discovery Request Submitted!',
      text: "We'll contact you within 24 hours to schedule your ROI assessment session.",
    },
    failure: 'Failed to submit request. Please try again.',
    received: [
      'Faisal al-Otaibi',
      'faisal@example.com',
      'Sabkha Capital',
      'Automated Due Diligence Tools',
      '$10,000-$20,000',
      '3-4 months',
    ],
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
    path: '/project-inquiry',
    lists: {
      serviceType: projectServiceTypes,
      budget: projectBudgets,
      timeframe: projectTimeframes,
      urgency: projectUrgencies,
    },
    example: {
      name: 'Lerato Mokoena',
      email: 'lerato@example.com',
      company: 'Cape Roasters',
      phone: '+27 21 555 0199',
      serviceType: 'Mobile App Development',
      budget: "Let's discuss",
      timeframe: 'Flexible',
      urgency: 'Critical',
      businessDescription: 'We roast coffee and run four cafés.',
      projectDescription: 'An app to order ahead and to collect stamps.',
      specificFeatures: 'Ordering, payment, stamps, a screen for the barista.',
      successCriteria: 'A third of the morning orders come through the app.',
      competitors: 'The two big chains in town.',
    },
    api: '/api/service-inquiry',
    bodyOf: (values) => ({
      ...values,
      service: 'Project Inquiry',
      projectDetails: composeProjectDetails(values as unknown as ProjectInquiry),
      goals: values['successCriteria'],
    }),
    button: 'Submit Project Inquiry',
    pendingButton: 'Submitting...',
    thanks: { title: 'Project Inquiry Submitted!', text: 'A tailored proposal will follow within 24 hours.' },
    failure: 'Failed to submit project inquiry. Please try again.',
    received: [
      'Lerato Mokoena',
      'lerato@example.com',
      'Mobile App Development',
      "Let's discuss",
      'Flexible',
      'Critical',
    ],
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
    path: '/services/ugc-creatives',
    lists: {
      service: questions.service.options,
      budget: questions.budget.options,
      timeframe: questions.timeframe.options,
      urgency: questions.urgency.options,
    },
    example: {
      name: 'Faisal Qahtani',
      email: 'faisal@example.com',
      company: 'Najd Logistics',
      phone: '+966 11 555 0100',
      service: lastOf('service'),
      budget: lastOf('budget'),
      timeframe: lastOf('timeframe'),
      urgency: lastOf('urgency'),
      projectDetails: 'We want to reach the buyers of cold storage.\n\n"In Jeddah" – and beyond 🌊',
      goals: 'Twenty good calls a month.',
    },
    api: '/api/service-inquiry',
    bodyOf: (values) => ({ ...values, serviceType: 'UGC Creatives' }),
    button: 'Request Quote',
    pendingButton: 'Submitting...',
    thanks: { title: 'Inquiry Submitted!', text: "We'll get back to you within 24 hours with a detailed proposal." },
    failure: 'Failed to submit inquiry. Please try again.',
    received: [
      'Faisal Qahtani',
      'faisal@example.com',
      lastOf('service'),
      lastOf('budget'),
      lastOf('timeframe'),
      lastOf('urgency'),
    ],
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

/** The form in a dialog. It keeps no draft. */
export const portfolioCase: PublicFormCase = {
  name: 'portfolio request',
  schema: portfolioRequestForm,
  withoutInput: ['source'],
  form: <PortfolioModal open onClose={() => undefined} />,
  path: '/',
  lists: {},
  example: { email: 'noura@example.com' },
  api: '/api/portfolio-lead',
  bodyOf: (values) => ({ ...values, source: 'portfolio_view' }),
  button: 'Send Me the Portfolio',
  pendingButton: 'Sending...',
  thanks: { text: 'Portfolio sent to your email. Check your inbox!' },
  failure: 'Failed to send portfolio. Please try again.',
  received: [],
  rules: [
    {
      name: 'email',
      message: 'Please enter a valid email address',
      refused: ['', 'noura@', 'noura@example', 'noura@example.com, thabo@example.com'],
      taken: ['  noura@example.com '],
    },
  ],
};

/** Where toasts appear. */
function Toasts() {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <>
      <section aria-label="Toasts" ref={setPlace} />
      {place && <ToastStack container={place} />}
    </>
  );
}

/** Opens the page of a form. @returns the form, and functions that leave the page and render it again */
export function open({ form, path }: Pick<PublicFormCase, 'form' | 'path'>) {
  const page = () => (
    <MemoryRouter initialEntries={[path]}>
      {cloneElement(form)}
      <Toasts />
    </MemoryRouter>
  );
  const { unmount, rerender } = render(page());
  return { form: screen.getByRole<HTMLFormElement>('form'), leave: unmount, renderAgain: () => rerender(page()) };
}

export const toasts = (): HTMLElement => screen.getByRole('region', { name: 'Toasts' });

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Returns the field with a name; for a radio group, its first option. */
export function controlOf(form: HTMLFormElement, name: string): Control {
  return form.querySelector<Control>(`[name="${name}"]`) ?? expect.fail(`no field ${name}`);
}

export const isGroup = (form: HTMLFormElement, name: string): boolean => controlOf(form, name).type === 'radio';

/** Returns the element that the message describes: the field or its radio group. */
export const describedOf = (control: Control): Element => control.closest('[role="radiogroup"]') ?? control;

/** Returns the message of a field for assistive technology, and whether it is invalid. */
export function stateOf(form: HTMLFormElement, name: string): { message: string; isInvalid: boolean } {
  const described = describedOf(controlOf(form, name));
  // A hint comes before the message.
  const messageId = described.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '';
  return {
    message: document.getElementById(messageId)?.textContent ?? '',
    isInvalid: described.getAttribute('aria-invalid') === 'true',
  };
}

/** A valid field. */
export const fine = { message: '', isInvalid: false };

export const focus = (control: Control): void => act(() => control.focus());
export const leave = (control: Control): void => act(() => control.blur());

/** Changes a field as a visitor does, and leaves it. */
export function change(form: HTMLFormElement, name: string, value: string): void {
  const control = controlOf(form, name);
  focus(control);
  if (control.type === 'radio') {
    fireEvent.click(form.querySelector(`[name="${name}"][value="${value}"]`) ?? expect.fail(`no option ${value}`));
  } else fireEvent.change(control, { target: { value } });
  leave(control);
}

export function fill(form: HTMLFormElement, values: Values): void {
  for (const [name, value] of Object.entries(values)) change(form, name, value);
}

/** Sets the value of a field as some password managers do: past React, and without an event. */
export function setSilently(form: HTMLFormElement, name: string, value: string): void {
  const target = isGroup(form, name) ? form.querySelector(`[name="${name}"][value="${value}"]`) : controlOf(form, name);
  const [property, written] = isGroup(form, name) ? ['checked', true] : ['value', value];
  Reflect.set(Object.getPrototypeOf(target), property, written, target);
}

/** Returns the current values of the fields that a case has an example for. */
export function valuesOf(form: HTMLFormElement, { example }: PublicFormCase): Values {
  return Object.fromEntries(
    Object.keys(example).map((name) => {
      const chosen = form.querySelector<HTMLInputElement>(`[name="${name}"]:checked`);
      return [name, isGroup(form, name) ? (chosen?.value ?? '') : controlOf(form, name).value];
    }),
  );
}

export const submit = (form: HTMLFormElement): Promise<void> => act(async () => void fireEvent.submit(form));

/** A request that a form has sent. */
export interface Attempt {
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: string | null;
}

export type Answer = () => Response | Promise<Response>;

export const stored: Answer = () => Response.json({ id: 'any' }, { status: 201 });

/** Responds to each attempt in turn, and to all later ones like to the last. @returns the attempts */
export function serve(...answers: readonly Answer[]): readonly Attempt[] {
  const attempts: Attempt[] = [];
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = (await request.json()) as Attempt['body'];
    attempts.push({ url: new URL(request.url).pathname, body, key: request.headers.get('Idempotency-Key') });
    const answer = answers[attempts.length - 1] ?? answers.at(-1);
    return answer?.() ?? expect.fail('no answer');
  };
  return attempts;
}

/** An answer that waits until the test releases it. */
export function heldAnswer(answer: Answer = stored) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held: Answer = async () => {
    await released;
    return answer();
  };
  return { held, release: () => act(async () => release()) };
}
