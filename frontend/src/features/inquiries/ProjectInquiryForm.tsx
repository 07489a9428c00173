import { brand } from '@dune-tide/domain/brand';
import { projectInquiryContent } from '@dune-tide/domain/content/project-inquiry';
import {
  projectBudgets,
  type ProjectInquiry,
  projectInquiryForm,
  projectServiceTypes,
  projectTimeframes,
  projectUrgencies,
} from '@dune-tide/domain/forms/project-inquiry';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import validate from 'virtual:validator/project-inquiry';
import { ChoiceField } from '../../form/ChoiceField.tsx';
import { FieldGrid, FullWidth, Group } from '../../form/FieldGroup.tsx';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';
import { useSendServiceInquiryMutation } from './service-inquiry-api.ts';
import { projectInquiryPayload } from './project-inquiry-payload.ts';

const { steps, hints, title } = projectInquiryContent;

/** The project inquiry form in numbered steps (docs/PRODUCT.md, "Project inquiry form"). */
export default function ProjectInquiryForm() {
  const [sendInquiry] = useSendServiceInquiryMutation();
  return (
    <PublicForm<ProjectInquiry>
      label={title}
      schema={projectInquiryForm}
      validate={validate}
      send={(answers, submission) => sendInquiry({ inquiry: projectInquiryPayload(answers), submission }).unwrap()}
      thanks={{
        title: 'Project Inquiry Submitted!',
        text: `A tailored proposal will follow within ${brand.responsePromiseHours} hours.`,
      }}
      failureText="Failed to submit project inquiry. Please try again."
    >
      <Step number={1} {...steps.you}>
        <TextField name="name" autoComplete="name" />
        <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        <TextField name="company" autoComplete="organization" />
        <TextField name="phone" type="tel" inputMode="tel" autoComplete="tel" />
      </Step>
      <Step number={2} {...steps.project}>
        <FullWidth>
          <SelectField name="serviceType" options={projectServiceTypes} placeholder="Select a service type" />
        </FullWidth>
        <FullWidth>
          <TextField name="businessDescription" rows={3} hint={hints.businessDescription} />
        </FullWidth>
        <FullWidth>
          <TextField name="projectDescription" rows={3} hint={hints.projectDescription} />
        </FullWidth>
        <FullWidth>
          <TextField name="specificFeatures" rows={3} hint={hints.specificFeatures} />
        </FullWidth>
      </Step>
      <Step number={3} {...steps.scope}>
        <SelectField name="budget" options={projectBudgets} placeholder="Select a budget range" />
        <SelectField name="timeframe" options={projectTimeframes} placeholder="Select a timeframe" />
        <FullWidth>
          <ChoiceField name="urgency" options={projectUrgencies} />
        </FullWidth>
      </Step>
      <Step number={4} {...steps.success}>
        <FullWidth>
          <TextField name="successCriteria" rows={3} hint={hints.successCriteria} />
        </FullWidth>
        <FullWidth>
          <TextField name="competitors" rows={2} hint={hints.competitors} />
        </FullWidth>
      </Step>
      <Box sx={stepColumns}>
        <Box sx={{ gridColumn: { md: 2 } }}>
          <SubmitRow label="Submit Project Inquiry" pendingLabel="Submitting..." />
        </Box>
      </Box>
    </PublicForm>
  );
}

const stepColumns = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 4fr) minmax(0, 7fr)' },
  columnGap: 'clamp(2rem, 6vw, 6rem)',
  rowGap: 3,
} as const;

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** One step: its subject on the left, its fields on the right. */
function Step({ number, title: heading, text, children }: StepProps) {
  const id = `step-${number}`;
  return (
    <Group
      aria-labelledby={id}
      sx={{
        ...stepColumns,
        borderTop: 1,
        borderColor: 'divider',
        paddingTop: 4,
        paddingBottom: 'clamp(2rem, 4vw, 4rem)',
      }}
    >
      <Box sx={{ position: { md: 'sticky' }, top: 120, alignSelf: 'start', display: 'flex', gap: 3 }}>
        <Typography variant="h2" component="span" aria-hidden="true" sx={{ color: 'primary.main', minWidth: '0.7em' }}>
          {number}
        </Typography>
        <Box sx={{ paddingTop: 'clamp(0.1rem, 0.6vw, 0.6rem)' }}>
          <Typography id={id} variant="h3" component="h2">
            {heading}
          </Typography>
          <Typography sx={{ marginTop: 1, color: 'text.secondary', maxWidth: '22em' }}>{text}</Typography>
        </Box>
      </Box>
      <FieldGrid>{children}</FieldGrid>
    </Group>
  );
}
