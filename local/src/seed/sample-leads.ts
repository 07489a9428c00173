import type { SettledLead } from '@dune-tide/db/settled-leads';
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
import { initialStatus, requiredFollowUps, type LeadKind, type LeadStatus } from '@dune-tide/domain/leads';
import { companies, familyNames, givenNames, mailHosts, projects, reasons, strengths, wishes } from './phrases.ts';
import { seededRandom, type Random } from './random.ts';

export interface SampleOptions {
  readonly count: number;
  /** With the same time below, the same number makes the same leads. */
  readonly seed: number;
  /** When the latest of them may have come in. */
  readonly until: Date;
}

type Answers = Record<string, string>;

interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
}

const dayMs = 86_400_000;
const spanDays = 730;

const kindWeights: Readonly<Record<LeadKind, number>> = {
  contact: 38,
  service_inquiry: 30,
  career_application: 17,
  portfolio_request: 15,
};

/** Inquiries are worked on with time. */
const freshStatuses: Readonly<Record<LeadStatus, number>> = { new: 80, contacted: 17, qualified: 3, won: 0, lost: 0 };
const oldStatuses: Readonly<Record<LeadStatus, number>> = { new: 4, contacted: 14, qualified: 12, won: 28, lost: 42 };

/**
 * Leads of all kinds as they come in through two years, more of late and by day, the oldest first. Each was answered.
 */
export function* sampleLeads({ count, seed, until }: SampleOptions): Generator<SettledLead> {
  const random = seededRandom(seed);
  // Not the same ones at another time, so that leads can be added to those of an earlier run.
  const ids = seededRandom(seed + until.getTime());
  const times = Float64Array.from({ length: count }, () => sampleTime(random, until)).sort();
  for (const time of times) yield sampleLead(random, ids, new Date(time), until);
}

function sampleTime(random: Random, until: Date): number {
  const daysAgo = Math.floor(spanDays * random.next() ** 1.4);
  // The mean of two is most often near noon.
  const sinceMidnight = Math.floor(((random.next() + random.next()) / 2) * dayMs);
  const midnight = Math.floor(until.getTime() / dayMs) * dayMs;
  const time = midnight - daysAgo * dayMs + sinceMidnight;
  return time < until.getTime() ? time : time - dayMs;
}

function sampleLead(random: Random, ids: Random, createdAt: Date, until: Date): SettledLead {
  const kind = random.weighted(kindWeights);
  const person = samplePerson(random);
  const { email } = person;
  const status = initialStatus(kind) === null ? null : sampleStatus(random, createdAt, until);
  const isWorkedOn = status !== null && status !== 'new';
  const updatedAt = isWorkedOn ? between(createdAt, until, random.next() * 20 * dayMs) : createdAt;
  return {
    id: ids.uuid(createdAt),
    kind,
    email,
    status,
    answers: sampleAnswers[kind](random, person),
    createdAt,
    updatedAt,
    followUps: requiredFollowUps({ kind, email }, brand.staffEmail).map((followUp) => ({
      id: ids.uuid(createdAt),
      ...followUp,
      sentAt: between(createdAt, until, random.whole(80, 4_000)),
    })),
  };
}

function between(from: Date, until: Date, afterMs: number): Date {
  return new Date(Math.min(Math.floor(from.getTime() + afterMs), until.getTime()));
}

function sampleStatus(random: Random, createdAt: Date, until: Date): LeadStatus {
  const ageDays = (until.getTime() - createdAt.getTime()) / dayMs;
  return random.weighted(random.chance(Math.min(ageDays / 30, 1)) ? oldStatuses : freshStatuses);
}

function samplePerson(random: Random): Person {
  const [firstName, first] = random.pick(givenNames);
  const [lastName, last] = random.pick(familyNames);
  return {
    firstName,
    lastName,
    email: `${first}.${last}${random.whole(1, 9_999)}@${random.pick(mailHosts)}`,
    phone: `${random.pick(['+966 11', '+27 21', '+27 11', '+971 4'])} 555 ${String(random.whole(0, 9_999)).padStart(4, '0')}`,
  };
}

const sampleAnswers: Readonly<Record<LeadKind, (random: Random, person: Person) => Answers>> = {
  contact: (random, { firstName, lastName, email }) => ({
    firstName,
    lastName,
    email,
    service: chosen(random, contactServices),
    message: `We are looking for ${random.pick(projects)}. ${paragraphs(random, reasons)} ${random.pick(wishes)}`,
  }),
  service_inquiry: (random, person) =>
    inquiries[random.weighted({ servicePage: 55, project: 30, discovery: 15 })](random, person),
  career_application: (random, { firstName, lastName, email, phone }) => ({
    firstName,
    lastName,
    email,
    phone,
    position: chosen(random, positions),
    experience: chosen(random, experienceLevels),
    coverLetter: `Dear studio,\n\n${paragraphs(random, strengths)} ${random.pick(strengths)}\n\n${firstName} ${lastName}`,
    ...(random.chance(0.6) ? { portfolioUrl: `https://work.example.com/${random.whole(1, 99_999)}` } : {}),
    ...(random.chance(0.2) ? { resumeUrl: `https://files.example.org/cv-${random.whole(1, 99_999)}.pdf` } : {}),
  }),
  portfolio_request: (_, { email }) => ({ email, source: 'portfolio_view' }),
};

type InquiryForm = 'servicePage' | 'project' | 'discovery';

/** As each form sends it, composed texts included. */
const inquiries: Readonly<Record<InquiryForm, (random: Random, person: Person) => Answers>> = {
  servicePage(random, person) {
    const page = random.pick(Object.values(servicePages));
    return {
      ...inquirer(random, person),
      service: chosen(random, page.service.options),
      budget: chosen(random, page.budget.options),
      timeframe: chosen(random, page.timeframe.options),
      urgency: chosen(random, page.urgency.options),
      projectDetails: `We need ${random.pick(projects)}. ${paragraphs(random, reasons)}`,
      ...(random.chance(0.7) ? { goals: random.pick(wishes) } : {}),
      serviceType: page.serviceType,
    };
  },
  project(random, person) {
    const answers = {
      businessDescription: `${random.pick(companies)} has been in business for ${random.whole(2, 60)} years.`,
      projectDescription: `We need ${random.pick(projects)}. ${paragraphs(random, reasons)}`,
      specificFeatures: `Accounts, payment, ${random.pick(projects)}, and a page for the staff.`,
      successCriteria: random.pick(wishes),
      competitors: `${random.pick(companies)} and ${random.pick(companies)}`,
    };
    return {
      ...inquirer(random, person),
      ...answers,
      serviceType: chosen(random, projectServiceTypes),
      budget: chosen(random, projectBudgets),
      timeframe: chosen(random, projectTimeframes),
      urgency: chosen(random, projectUrgencies),
      service: projectInquiryService,
      projectDetails: composeProjectDetails(answers),
      goals: answers.successCriteria,
    };
  },
  discovery(random, person) {
    return toServiceInquiry({
      ...inquirer(random, person),
      company: random.pick(companies),
      organizationType: chosen(random, organizationTypes),
      investmentRange: chosen(random, investmentRanges),
      timeframe: chosen(random, discoveryTimeframes),
      specificSolutions: chosen(random, discoveryInterests),
      currentChallenges: paragraphs(random, reasons),
      aiGoals: `${random.pick(wishes)} ${random.pick(wishes)}`,
    });
  },
};

/** Company and phone are optional, and often left out. */
function inquirer(random: Random, { firstName, lastName, email, phone }: Person) {
  return {
    name: `${firstName} ${lastName}`,
    email,
    ...(random.chance(0.7) ? { company: random.pick(companies) } : {}),
    ...(random.chance(0.6) ? { phone } : {}),
  };
}

function chosen(random: Random, options: readonly Option[]): string {
  return random.pick(options).value;
}

/** One to four of them. */
function paragraphs(random: Random, sentences: readonly string[]): string {
  return Array.from({ length: random.whole(1, 4) }, () => random.pick(sentences)).join(
    random.pick([' ', '\n', '\n\n']),
  );
}
