import { careerApplicationForm } from './career-application.ts';
import { contactForm } from './contact.ts';
import { discoveryForm, discoveryInquiryForm } from './discovery.ts';
import { cancelAllForm, retryAllForm } from './follow-up-change.ts';
import type { FormSchema } from './form-schema.ts';
import { leadBulkChangeForm, leadChangeForm, noteForm } from './lead-change.ts';
import { leadViewForm, leadViewOrderForm } from './lead-view.ts';
import { erasureForm } from './erasure.ts';
import { portfolioRequestForm } from './portfolio-request.ts';
import { projectInquiryForm } from './project-inquiry.ts';
import { recipeForm } from './recipe.ts';
import { recipientForm, replyForm } from './reply.ts';
import { serviceInquiryForm } from './service-inquiry.ts';
import { codeForm, newPasskeyForm, passkeyNameForm, passkeySignatureForm } from './second-factor.ts';
import { signInForm } from './sign-in.ts';
import {
  accountChangeForm,
  leadEmailsForm,
  newAccountForm,
  newPasswordForm,
  ownAccountForm,
  ownPasswordForm,
  passwordConfirmationForm,
} from './account.ts';

/** Every form, for code that treats all forms alike. */
export const allForms = [
  portfolioRequestForm,
  contactForm,
  careerApplicationForm,
  projectInquiryForm,
  serviceInquiryForm,
  discoveryForm,
  discoveryInquiryForm,
  signInForm,
  recipeForm,
  newAccountForm,
  newPasswordForm,
  accountChangeForm,
  passwordConfirmationForm,
  ownPasswordForm,
  ownAccountForm,
  leadEmailsForm,
  codeForm,
  passkeyNameForm,
  newPasskeyForm,
  passkeySignatureForm,
  retryAllForm,
  cancelAllForm,
  leadChangeForm,
  leadBulkChangeForm,
  noteForm,
  leadViewForm,
  leadViewOrderForm,
  replyForm,
  recipientForm,
  erasureForm,
] as const satisfies readonly FormSchema[];
