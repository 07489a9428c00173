import { af_ZA, ar, base, de, en, en_ZA, es, Faker, fr, generateMersenne53Randomizer, zu_ZA } from '@faker-js/faker';
import type { Person as Account } from '@dune-tide/db/lead-expressions';
import type { SettledEvent, SettledLead } from '@dune-tide/db/leads';
import { brand } from '@dune-tide/domain/brand';
import { experienceLevels, positions } from '@dune-tide/domain/forms/career-application';
import { contactServices } from '@dune-tide/domain/forms/contact';
import {
  discoveryInterests,
  discoveryTimeframes,
  investmentRanges,
  organizationTypes,
  toServiceInquiry,
} from '@dune-tide/domain/forms/discovery';
import type { Option } from '@dune-tide/domain/forms/option';
import {
  composeProjectDetails,
  projectBudgets,
  projectInquiryService,
  projectServiceTypes,
  projectTimeframes,
  projectUrgencies,
} from '@dune-tide/domain/forms/project-inquiry';
import { servicePages } from '@dune-tide/domain/forms/service-pages';
import {
  isWorked,
  leadDefinitions,
  leadStatuses,
  requiredFollowUps,
  type LeadKind,
  type LeadStatus,
} from '@dune-tide/domain/leads';
import type { SpamSign } from '@dune-tide/domain/spam';
import { notes, projects, reasons, strengths, wishes } from './phrases.ts';

export interface SampleOptions {
  readonly count: number;
  /** The same seed and the same `until` produce the same leads. */
  readonly seed: number;
  /** The latest possible time of a lead. */
  readonly until: Date;
  /** The accounts that own the leads and write notes. Without any, the leads have no owners and no notes. */
  readonly staff?: readonly Account[];
}

type Values = Record<string, string>;

interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly company: string;
}

/** The studio's regions and some other ones. */
const locales = [ar, en_ZA, af_ZA, zu_ZA, en, de, fr, es];

/** Formats of fictional numbers. */
const phoneFormats = ['+966 11 555 ####', '+27 21 555 ####', '+27 11 555 ####', '+971 4 555 ####'];

const dayMs = 86_400_000;
const spanDays = 730;

const kindWeights: Readonly<Record<LeadKind, number>> = {
  contact: 38,
  service_inquiry: 30,
  career_application: 17,
  portfolio_request: 15,
};

const freshStatuses: Readonly<Record<LeadStatus, number>> = { new: 80, contacted: 17, qualified: 3, won: 0, lost: 0 };
const oldStatuses: Readonly<Record<LeadStatus, number>> = { new: 4, contacted: 14, qualified: 12, won: 28, lost: 42 };

/** The share of the leads that are received 20 to 24 hours before the end, so that some are due soon. */
const dueSoonShare = 0.006;
const spamShare = 0.004;
const hourMs = 3_600_000;

/**
 * Generates leads of all kinds over two years, oldest first. Most are recent and arrive by day. All their emails have
 * been sent. Most leads have been answered and have a history; some of the most recent ones have not. A few are held as
 * spam.
 */
export function* sampleLeads({ count, seed, until, staff = [] }: SampleOptions): Generator<SettledLead> {
  const randomizer = generateMersenne53Randomizer(seed);
  const faker = new Faker({ locale: [en, base], randomizer });
  const people = locales.map((locale) => new Faker({ locale: [locale, en, base], randomizer }));
  // Ids also depend on `until`, so that leads of a later run can be added to those of an earlier one.
  const ids = new Faker({ locale: base, seed: seed + until.getTime() });
  const dueSoon = Math.ceil(count * dueSoonShare);
  const times = Float64Array.from({ length: count }, (_, index) =>
    index < dueSoon
      ? until.getTime() - Math.floor((20.2 + 3.6 * faker.number.float()) * hourMs)
      : sampleTime(faker, until),
  ).sort();
  for (const time of times) {
    const person = samplePerson(faker.helpers.arrayElement(people));
    yield sampleLead({ faker, ids, staff, until }, person, new Date(time));
  }
}

function sampleTime(faker: Faker, until: Date): number {
  const daysAgo = Math.floor(spanDays * faker.number.float() ** 1.4);
  // The mean of two random numbers is usually near noon.
  const sinceMidnight = Math.floor(((faker.number.float() + faker.number.float()) / 2) * dayMs);
  const midnight = Math.floor(until.getTime() / dayMs) * dayMs;
  const time = midnight - daysAgo * dayMs + sinceMidnight;
  return time < until.getTime() ? time : time - dayMs;
}

/** The generators and the accounts that all sample leads share. */
interface Sampling {
  readonly faker: Faker;
  readonly ids: Faker;
  readonly staff: readonly Account[];
  readonly until: Date;
}

function sampleLead(sampling: Sampling, person: Person, createdAt: Date): SettledLead {
  const { faker, ids, until } = sampling;
  const kind = weighted(faker, kindWeights);
  const { email } = person;
  const spamSign = sampleSpamSign(faker, kind);
  const work = spamSign === null ? sampleWork(sampling, kind, createdAt) : untouched(kind);
  return {
    id: ids.string.uuid({ version: 7, refDate: createdAt }),
    kind,
    email,
    fields: sampleValues[kind](faker, person),
    spamSign,
    createdAt,
    ...work,
    updatedAt: work.events.at(-1)?.at ?? createdAt,
    version: 1 + work.events.filter((event) => event.kind !== 'note').length,
    followUps: (spamSign === null ? requiredFollowUps({ kind, email }, brand.staffEmail) : []).map((followUp) => ({
      id: ids.string.uuid({ version: 7, refDate: createdAt }),
      ...followUp,
      sentAt: new Date(
        Math.min(after(createdAt, faker.number.int({ min: 80, max: 4_000 })).getTime(), until.getTime()),
      ),
    })),
  };
}

/** Chooses the leads that are held as spam. Portfolio requests are never held, because staff could not release them. */
function sampleSpamSign(faker: Faker, kind: LeadKind): SpamSign | null {
  if (!isWorked(kind) || !faker.datatype.boolean(spamShare)) return null;
  return faker.helpers.arrayElement(['honeypot', 'too_fast'] as const);
}

type Work = Pick<SettledLead, 'status' | 'answeredAt' | 'ownerId' | 'events'>;

const untouched = (kind: LeadKind): Work => ({
  status: leadDefinitions[kind].initialStatus,
  answeredAt: null,
  ownerId: null,
  events: [],
});

/** Generates what staff did with a lead: who took it, when it was answered, the steps of its status, notes. */
function sampleWork({ faker, ids, staff, until }: Sampling, kind: LeadKind, createdAt: Date): Work {
  const ageHours = (until.getTime() - createdAt.getTime()) / hourMs;
  if (!isWorked(kind)) return untouched(kind);
  const account = staff.length === 0 ? null : faker.helpers.arrayElement(staff);
  const events: SettledEvent[] = [];
  const record = (at: Date, type: SettledEvent['kind'], details: SettledEvent['details'] = {}): void =>
    void events.push({ id: ids.string.uuid({ version: 7, refDate: at }), kind: type, at, actor: account, details });

  // Most answers take a few hours, some longer than the promise.
  const answeredAfter = Math.floor((0.3 + 27 * faker.number.float() ** 2) * hourMs);
  const isForgotten = faker.datatype.boolean(ageHours < 4 * 24 ? 0.12 : 0);
  const isDueSoon = ageHours >= 20 && ageHours < 24;
  if (isForgotten || isDueSoon || answeredAfter > ageHours * hourMs) {
    const taker = faker.datatype.boolean(0.4) ? account : null;
    if (taker) record(after(createdAt, ageHours * hourMs * faker.number.float()), 'owner', { from: null, to: taker });
    return { ...untouched(kind), ownerId: taker?.id ?? null, events };
  }

  const taker = faker.datatype.boolean(0.8) ? account : null;
  if (taker) record(after(createdAt, answeredAfter * 0.8), 'owner', { from: null, to: taker });
  const answeredAt = after(createdAt, answeredAfter);
  let at = answeredAt;
  const status = sampleStatus(faker, createdAt, until);
  if (status === 'new') record(at, 'answered');
  let before: LeadStatus = 'new';
  for (const next of pathTo(faker, status)) {
    record(at, 'status', { from: before, to: next });
    before = next;
    at = after(at, faker.number.float() * 10 * dayMs);
    if (at >= until) break;
    if (account && faker.datatype.boolean(0.3)) record(at, 'note', { text: faker.helpers.arrayElement(notes) });
  }
  return { status: before, answeredAt, ownerId: taker?.id ?? null, events };
}

/** Returns the statuses that a lead passes after `new`. */
function pathTo(faker: Faker, status: LeadStatus): readonly LeadStatus[] {
  if (status === 'lost')
    return faker.datatype.boolean(0.5) ? ['contacted', 'lost'] : ['contacted', 'qualified', 'lost'];
  return leadStatuses.slice(1, leadStatuses.indexOf(status) + 1);
}

const after = (time: Date, milliseconds: number): Date => new Date(Math.floor(time.getTime() + milliseconds));

function sampleStatus(faker: Faker, createdAt: Date, until: Date): LeadStatus {
  const ageDays = (until.getTime() - createdAt.getTime()) / dayMs;
  return weighted(faker, faker.datatype.boolean(Math.min(ageDays / 30, 1)) ? oldStatuses : freshStatuses);
}

function samplePerson(faker: Faker): Person {
  const [firstName, lastName] = [faker.person.firstName(), faker.person.lastName()];
  return {
    firstName,
    lastName,
    email: faker.internet.exampleEmail({ firstName, lastName }).toLowerCase(),
    phone: faker.helpers.replaceSymbols(faker.helpers.arrayElement(phoneFormats)),
    company: faker.company.name(),
  };
}

const sampleValues: Readonly<Record<LeadKind, (faker: Faker, person: Person) => Values>> = {
  contact: (faker, { firstName, lastName, email }) => ({
    firstName,
    lastName,
    email,
    service: chosen(faker, contactServices),
    message: `We are looking for ${faker.helpers.arrayElement(projects)}. ${paragraphs(faker, reasons)} ${faker.helpers.arrayElement(wishes)}`,
  }),
  service_inquiry: (faker, person) =>
    inquiries[weighted(faker, { servicePage: 55, project: 30, discovery: 15 })](faker, person),
  career_application: (faker, { firstName, lastName, email, phone }) => ({
    firstName,
    lastName,
    email,
    phone,
    position: chosen(faker, positions),
    experience: chosen(faker, experienceLevels),
    coverLetter: `Dear studio,\n\n${paragraphs(faker, strengths)} ${faker.helpers.arrayElement(strengths)}\n\n${firstName} ${lastName}`,
    ...(faker.datatype.boolean(0.6)
      ? { portfolioUrl: `https://work.example.com/${faker.number.int({ min: 1, max: 99_999 })}` }
      : {}),
    ...(faker.datatype.boolean(0.2)
      ? { resumeUrl: `https://files.example.org/cv-${faker.number.int({ min: 1, max: 99_999 })}.pdf` }
      : {}),
  }),
  portfolio_request: (_, { email }) => ({ email, source: 'portfolio_view' }),
};

type InquiryForm = 'servicePage' | 'project' | 'discovery';

/** Values as each form sends them, including composed texts. */
const inquiries: Readonly<Record<InquiryForm, (faker: Faker, person: Person) => Values>> = {
  servicePage(faker, person) {
    const page = faker.helpers.arrayElement(Object.values(servicePages));
    return {
      ...inquirer(faker, person),
      service: chosen(faker, page.service.options),
      budget: chosen(faker, page.budget.options),
      timeframe: chosen(faker, page.timeframe.options),
      urgency: chosen(faker, page.urgency.options),
      projectDetails: `We need ${faker.helpers.arrayElement(projects)}. ${paragraphs(faker, reasons)}`,
      ...(faker.datatype.boolean(0.7) ? { goals: faker.helpers.arrayElement(wishes) } : {}),
      serviceType: page.serviceType,
    };
  },
  project(faker, person) {
    const values = {
      businessDescription: `${person.company} has been in business for ${faker.number.int({ min: 2, max: 60 })} years.`,
      projectDescription: `We need ${faker.helpers.arrayElement(projects)}. ${paragraphs(faker, reasons)}`,
      specificFeatures: `Accounts, payment, ${faker.helpers.arrayElement(projects)}, and a page for the staff.`,
      successCriteria: faker.helpers.arrayElement(wishes),
      competitors: `${faker.company.name()} and ${faker.company.name()}`,
    };
    return {
      ...inquirer(faker, person),
      ...values,
      serviceType: chosen(faker, projectServiceTypes),
      budget: chosen(faker, projectBudgets),
      timeframe: chosen(faker, projectTimeframes),
      urgency: chosen(faker, projectUrgencies),
      service: projectInquiryService,
      projectDetails: composeProjectDetails(values),
      goals: values.successCriteria,
    };
  },
  discovery(faker, person) {
    return toServiceInquiry({
      ...inquirer(faker, person),
      company: person.company,
      organizationType: chosen(faker, organizationTypes),
      investmentRange: chosen(faker, investmentRanges),
      timeframe: chosen(faker, discoveryTimeframes),
      specificSolutions: chosen(faker, discoveryInterests),
      currentChallenges: paragraphs(faker, reasons),
      aiGoals: `${faker.helpers.arrayElement(wishes)} ${faker.helpers.arrayElement(wishes)}`,
    });
  },
};

/** Returns a visitor's values. The optional company and phone are often missing. */
function inquirer(faker: Faker, { firstName, lastName, email, phone, company }: Person) {
  return {
    name: `${firstName} ${lastName}`,
    email,
    ...(faker.datatype.boolean(0.7) ? { company } : {}),
    ...(faker.datatype.boolean(0.6) ? { phone } : {}),
  };
}

/** Returns a random key with the probability of its weight. */
function weighted<Key extends string>(faker: Faker, weights: Readonly<Record<Key, number>>): Key {
  const entries = Object.entries<number>(weights) as [Key, number][];
  return faker.helpers.weightedArrayElement(
    entries.filter(([, weight]) => weight > 0).map(([value, weight]) => ({ value, weight })),
  );
}

function chosen(faker: Faker, options: readonly Option[]): string {
  return faker.helpers.arrayElement(options).value;
}

/** Joins one to four random sentences. */
function paragraphs(faker: Faker, sentences: readonly string[]): string {
  return Array.from({ length: faker.number.int({ min: 1, max: 4 }) }, () => faker.helpers.arrayElement(sentences)).join(
    faker.helpers.arrayElement([' ', '\n', '\n\n']),
  );
}
