import { discoveryInquiry, discoveryInquiryForm } from '../forms/discovery.ts';
import { inquiryFormFor, type InquiryForm } from '../forms/inquiry-rules.ts';
import {
  composeProjectDetails,
  projectFields,
  projectInquiryForm,
  projectInquiryService,
  type ProjectValues,
} from '../forms/project-inquiry.ts';
import { serviceInquiryForm } from '../forms/service-inquiry.ts';
import { email, type FieldName, type KindDeclaration, type Texts } from './declaration.ts';

type Inquiry = Texts<FieldName<InquiryForm>>;

const isProject = ({ service }: Inquiry): boolean => service === projectInquiryService;
const hasProjectValues = (inquiry: Inquiry): inquiry is Inquiry & ProjectValues =>
  projectFields.every((name) => inquiry[name] !== undefined);

const composedDetails = (inquiry: Inquiry): string | undefined =>
  hasProjectValues(inquiry) ? composeProjectDetails(inquiry) : undefined;
const composedGoals = (inquiry: Inquiry): string | undefined =>
  hasProjectValues(inquiry) ? inquiry.successCriteria : undefined;

/** An inquiry from a service page, a project inquiry or a discovery request. */
export const serviceInquiry = {
  labels: { sentence: 'Service inquiry', staff: 'Service Inquiry', list: 'Service Inquiries' },
  form: serviceInquiryForm,
  variants: [projectInquiryForm, discoveryInquiryForm],
  formOf: inquiryFormFor,
  fields: {
    // The `service` of a project inquiry is fixed: its `serviceType` is what the visitor wants.
    service: {
      notice: ({ service, serviceType }) => [service, serviceType].join(', '),
      shown: (inquiry) => (isProject(inquiry) ? inquiry.serviceType : undefined),
    },
    serviceType: {
      rowLabel: 'Service',
      shown: (inquiry) => (isProject(inquiry) ? inquiry.service : undefined),
    },
    businessDescription: { display: 'long' },
    projectDescription: { display: 'long' },
    specificFeatures: { display: 'long' },
    successCriteria: { display: 'long' },
    competitors: { display: 'long' },
    projectDetails: {
      display: 'long',
      composed: { by: projectInquiryForm, text: composedDetails },
      isQuoted: true,
    },
    goals: {
      display: 'long',
      composed: { by: projectInquiryForm, text: composedGoals },
      isQuoted: (inquiry) =>
        inquiry.goals !== composedGoals(inquiry) || inquiry.projectDetails !== composedDetails(inquiry),
      isUnasked: ({ serviceType }) => serviceType === discoveryInquiry.serviceType,
    },
    budget: {},
    timeframe: {},
    urgency: { display: 'urgency' },
    name: {},
    company: { notice: true },
    email,
    phone: { display: 'phone', rowLabel: 'Phone' },
    organizationType: { partOf: 'projectDetails' },
    currentChallenges: { partOf: 'projectDetails' },
    aiGoals: { partOf: 'projectDetails' },
    specificSolutions: { partOf: 'projectDetails' },
    investmentRange: { partOf: 'budget' },
  },
  order: [
    'name',
    'email',
    'company',
    'phone',
    'service',
    'serviceType',
    'status',
    'urgency',
    'budget',
    'timeframe',
    'projectDetails',
    'goals',
    ...projectFields,
    'updatedAt',
  ],
  name: ['name'],
  subject: 'service',
  isWorked: true,
  initialStatus: 'new',
  hasClock: true,
  hasUpdateTime: true,
  firstEmail: 'acknowledgement',
  hasFormToken: true,
  retention: 'leads',
} as const satisfies KindDeclaration<
  typeof serviceInquiryForm,
  typeof projectInquiryForm | typeof discoveryInquiryForm
>;
