import { brand } from '../brand.ts';

/** The texts of /project-inquiry. Its form has four steps. */
export const projectInquiryContent = {
  title: 'Project Inquiry',
  introduction: `Four short steps, about five minutes. A tailored proposal will follow within ${brand.responsePromiseHours} hours.`,
  steps: {
    you: { title: 'You', text: 'Who you are, and how to reach you.' },
    scope: { title: 'Scope and timing', text: 'A range is enough. It tells us what is possible, not what to charge.' },
    project: { title: 'The project', text: 'What you do, what you want made, and what it cannot do without.' },
    success: { title: 'Success', text: 'How you will measure it, and who you are up against.' },
  },
  hints: {
    businessDescription: 'What you do, for whom, and what sets you apart',
    projectDescription: 'What you want made, and what it should change',
    specificFeatures: 'What it has to do on the first day',
    successCriteria: 'The figure or the change that would make it worthwhile',
    competitors: 'Who else your customers could go to, by name or by kind',
  },
} as const;
