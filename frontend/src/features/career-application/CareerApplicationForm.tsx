import { careers } from '@dune-tide/domain/content/careers';
import {
  type CareerApplication,
  careerApplicationForm,
  experienceLevels,
  positions,
} from '@dune-tide/domain/forms/career-application';
import { optionLabel } from '@dune-tide/domain/forms/option';
import Box from '@mui/material/Box';
import { useEffect } from 'react';
import { useForm } from 'react-final-form';
import validate from 'virtual:validator/career-application';
import { FieldGroup, FullWidth } from '../../form/FieldGroup.tsx';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';
import type { PositionChoice } from './position-choice.ts';

const { sections, coverLetterHint, portfolioHint } = careers.application;

interface CareerApplicationFormProps {
  readonly choice: PositionChoice;
}

/** The job application form (docs/PRODUCT.md, "Application form"). It has no input for the resume. */
export default function CareerApplicationForm({ choice }: CareerApplicationFormProps) {
  return (
    <PublicForm<CareerApplication>
      label="Job application"
      schema={careerApplicationForm}
      validate={validate}
      url="/api/careers"
      thanks={{
        title: 'Application Submitted!',
        text: "Thank you for your interest. We'll review your application and get back to you soon.",
      }}
      failureText="Failed to submit application. Please try again."
      guide="application"
      receipt={({ firstName, lastName, email, position, experience }) => [
        ['Name', `${firstName} ${lastName}`],
        ['Email', email],
        ['Position', optionLabel(positions, position)],
        ['Experience', optionLabel(experienceLevels, experience)],
      ]}
    >
      <ChosenPosition choice={choice} />
      <FieldGroup title={sections.person}>
        <TextField name="firstName" autoComplete="given-name" />
        <TextField name="lastName" autoComplete="family-name" />
        <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        <TextField name="phone" type="tel" inputMode="tel" autoComplete="tel" />
      </FieldGroup>
      <FieldGroup title={sections.role} areChoices>
        <SelectField name="position" options={positions} placeholder="Select a position" />
        <SelectField name="experience" options={experienceLevels} placeholder="Select your experience level" />
      </FieldGroup>
      <FieldGroup title={sections.work}>
        <FullWidth>
          <TextField name="portfolio" type="url" inputMode="url" autoComplete="url" hint={portfolioHint} />
        </FullWidth>
        <FullWidth>
          <TextField name="coverLetter" rows={6} hint={coverLetterHint} />
        </FullWidth>
      </FieldGroup>
      <Box sx={{ marginTop: 2 }}>
        <SubmitRow label="Submit Application" pendingLabel="Submitting Application..." />
      </Box>
    </PublicForm>
  );
}

/** Copies a chosen position into the form and keeps the other values. */
function ChosenPosition({ choice }: CareerApplicationFormProps) {
  const form = useForm<CareerApplication>();
  useEffect(() => choice.follow((position) => form.change('position', position)), [form, choice]);
  return null;
}
