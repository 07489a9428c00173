import { careerApplicationForm, experienceLevels, positions } from '../forms/career-application.ts';
import { email, type KindDeclaration } from './declaration.ts';

/** A job application. */
export const careerApplication = {
  labels: { sentence: 'Career application', staff: 'Career Application', list: 'Career Applications' },
  form: careerApplicationForm,
  variants: [],
  formOf: () => careerApplicationForm,
  fields: {
    position: { staffOptions: positions, notice: true },
    experience: { staffOptions: experienceLevels },
    coverLetter: { display: 'long', isQuoted: true },
    portfolio: { display: 'link', storedAs: 'portfolioUrl' },
    resume: { display: 'link', storedAs: 'resumeUrl', isUnasked: () => true },
    firstName: {},
    lastName: {},
    email,
    phone: { display: 'phone', rowLabel: 'Phone' },
  },
  order: [
    'firstName',
    'lastName',
    'email',
    'status',
    'phone',
    'position',
    'experience',
    'portfolioUrl',
    'resumeUrl',
    'coverLetter',
  ],
  name: ['firstName', 'lastName'],
  subject: 'position',
  isWorked: true,
  initialStatus: null,
  hasClock: false,
  hasUpdateTime: false,
  firstEmail: 'acknowledgement',
  hasFormToken: true,
  retention: 'applications',
} as const satisfies KindDeclaration<typeof careerApplicationForm, never>;
