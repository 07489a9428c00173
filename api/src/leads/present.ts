import type { StoredLead } from '@dune-tide/db/leads';
import { projectAnswers, type ProjectAnswers } from '@dune-tide/domain/forms/project-inquiry';
import type { LeadKind } from '@dune-tide/domain/leads';
import type { leadItems, leadResponse } from '@dune-tide/domain/responses/lead';
import type { Presented } from '@dune-tide/domain/responses/schema';

/** Presents a lead to staff, with its kind. */
export function presentLead(lead: StoredLead): Presented<typeof leadResponse> {
  const { id, email, spamSign, owner, dueAt, answeredAt, response, version, createdAt } = lead;
  const everyLead = { id, email, spamSign, owner, dueAt, answeredAt, response, version, createdAt };
  switch (lead.kind) {
    case 'contact': {
      const { status, answers } = lead;
      const { firstName, lastName, service, message } = answers;
      return { kind: lead.kind, ...everyLead, firstName, lastName, status, service, message };
    }
    case 'service_inquiry': {
      const { status, answers, updatedAt } = lead;
      return {
        kind: lead.kind,
        ...everyLead,
        name: answers.name,
        company: answers.company ?? null,
        phone: answers.phone ?? null,
        service: answers.service,
        serviceType: answers.serviceType,
        status,
        urgency: answers.urgency,
        budget: answers.budget,
        timeframe: answers.timeframe,
        projectDetails: answers.projectDetails,
        goals: answers.goals ?? null,
        ...presentProjectAnswers(answers),
        updatedAt,
      };
    }
    case 'career_application': {
      const { status, answers } = lead;
      return {
        kind: lead.kind,
        ...everyLead,
        firstName: answers.firstName,
        lastName: answers.lastName,
        status,
        phone: answers.phone,
        position: answers.position,
        experience: answers.experience,
        portfolioUrl: answers.portfolioUrl ?? null,
        resumeUrl: answers.resumeUrl ?? null,
        coverLetter: answers.coverLetter,
      };
    }
    case 'portfolio_request':
      return { kind: lead.kind, ...everyLead, status: lead.status, source: lead.answers.source };
  }
}

/** Presents a lead in the list of its kind, which does not repeat the kind. */
export function presentLeadItem(lead: StoredLead): Presented<(typeof leadItems)[LeadKind]> {
  const { kind: _kind, ...item } = presentLead(lead);
  return item;
}

/** Copies the answers that were given. */
function presentProjectAnswers(answers: Partial<ProjectAnswers>): Partial<ProjectAnswers> {
  const given: Partial<ProjectAnswers> = {};
  for (const field of projectAnswers) {
    const answer = answers[field];
    if (answer !== undefined) given[field] = answer;
  }
  return given;
}
