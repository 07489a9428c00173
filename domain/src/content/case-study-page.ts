/** The texts that all case study pages share (docs/PRODUCT.md, "Case study pages"). */
export const caseStudyPage = {
  all: 'All work',
  facts: { kind: 'Kind of work', included: 'Included' },
  problem: 'The problem',
  made: 'What we made',
  result: 'The result',
  service: 'Part of our work in',
  start: 'Start a Project Like This',
  next: 'Next case study',
} as const;
