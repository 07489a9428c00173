import { type ServicePageContent } from '@dune-tide/domain/content/service-pages';
import { type ServiceInquiry, serviceInquiryForm } from '@dune-tide/domain/forms/service-inquiry';
import type { ServicePageQuestions, ServicePageSelection } from '@dune-tide/domain/forms/service-pages';
import Box from '@mui/material/Box';
import { brand } from '@dune-tide/domain/brand';
import validate from 'virtual:validator/service-inquiry';
import { FieldGroup, FullWidth } from '../../form/FieldGroup.tsx';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';
import { initialServiceInquiry } from './initial-service-inquiry.ts';

interface ServiceInquiryFormProps {
  readonly questions: ServicePageQuestions;
  readonly texts: ServicePageContent['form'];
}

/** The form of a service page (docs/PRODUCT.md, "Service forms"). */
export default function ServiceInquiryForm({ questions, texts }: ServiceInquiryFormProps) {
  return (
    <PublicForm<ServiceInquiry>
      label={texts.heading}
      schema={serviceInquiryForm}
      validate={validate}
      initialValues={initialServiceInquiry(questions)}
      url="/api/service-inquiry"
      thanks={{
        title: 'Inquiry Submitted!',
        text: `We'll get back to you within ${brand.responsePromiseHours} hours with a detailed proposal.`,
      }}
      failureText="Failed to submit inquiry. Please try again."
      guide="inquiry"
      receipt={({ name, email, service, budget, timeframe, urgency }) => [
        ['Name', name],
        ['Email', email],
        ['Service', service],
        ['Budget', budget],
        ['Timeframe', timeframe],
        ['Urgency', urgency],
      ]}
    >
      <FieldGroup title="You">
        <TextField name="name" autoComplete="name" />
        <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        <TextField name="company" autoComplete="organization" />
        <TextField name="phone" type="tel" inputMode="tel" autoComplete="tel" />
      </FieldGroup>
      <FieldGroup title="What you need" areChoices>
        <Selection name="service" selection={questions.service} />
        <Selection name="budget" selection={questions.budget} />
        <Selection name="timeframe" selection={questions.timeframe} />
        <Selection name="urgency" selection={questions.urgency} />
      </FieldGroup>
      <FieldGroup title="In your words">
        <FullWidth>
          <TextField name="projectDetails" rows={6} hint={texts.detailsHint} />
        </FullWidth>
        <FullWidth>
          <TextField name="goals" rows={3} hint={texts.goalsHint} />
        </FullWidth>
      </FieldGroup>
      <Box sx={{ marginTop: 2 }}>
        <SubmitRow label={texts.submit} pendingLabel="Submitting..." />
      </Box>
    </PublicForm>
  );
}

function Selection({ name, selection }: { readonly name: string; readonly selection: ServicePageSelection }) {
  return (
    <SelectField
      name={name}
      label={selection.label}
      options={selection.options}
      placeholder={`Select ${selection.label.toLowerCase()}`}
    />
  );
}
