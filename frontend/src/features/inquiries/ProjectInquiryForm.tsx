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
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import validate from 'virtual:validator/project-inquiry';
import { ChoiceField } from '../../form/ChoiceField.tsx';
import { FieldGrid, FullWidth, Group } from '../../form/FieldGroup.tsx';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';
import { navigationHeight, shortWindow, sticky } from '../../styles/layout-constants.ts';
import { projectInquiryPayload } from './project-inquiry-payload.ts';

const { steps, hints, title } = projectInquiryContent;

/** The project inquiry form in numbered steps (docs/PRODUCT.md, "Project inquiry form"). */
export default function ProjectInquiryForm() {
  return (
    <PublicForm<ProjectInquiry>
      label={title}
      schema={projectInquiryForm}
      validate={validate}
      url="/api/service-inquiry"
      bodyOf={projectInquiryPayload}
      thanks={{
        title: 'Project Inquiry Submitted!',
        text: `A tailored proposal will follow within ${brand.responsePromiseHours} hours.`,
      }}
      failureText="Failed to submit project inquiry. Please try again."
      guide="inquiry"
      receipt={({ name, email, serviceType, budget, timeframe, urgency }) => [
        ['Name', name],
        ['Email', email],
        ['Service', serviceType],
        ['Budget', budget],
        ['Timeframe', timeframe],
        ['Urgency', urgency],
      ]}
    >
      <Step number={1} {...steps.you}>
        <TextField name="name" autoComplete="name" />
        <TextField name="email" type="email" inputMode="email" autoComplete="email" />
        <TextField name="company" autoComplete="organization" />
        <TextField name="phone" type="tel" inputMode="tel" autoComplete="tel" />
      </Step>
      <Step number={2} {...steps.scope}>
        <FullWidth>
          <SelectField name="serviceType" options={projectServiceTypes} placeholder="Select a service type" />
        </FullWidth>
        <SelectField name="budget" options={projectBudgets} placeholder="Select a budget range" />
        <SelectField name="timeframe" options={projectTimeframes} placeholder="Select a timeframe" />
        <FullWidth>
          <ChoiceField name="urgency" options={projectUrgencies} />
        </FullWidth>
      </Step>
      <Step number={3} {...steps.project}>
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

const stepCount = 4;

/** The height of the line that shows the progress on phones, in pixels. */
const progressHeight = 40;

/** Shows on phones which step is in view. It stays below the navigation bar while its step is filled in. */
const Progress = styled(({ number, className }: { readonly number: number; readonly className?: string }) => (
  <div className={className} aria-hidden="true">
    <span>
      Step {number} of {stepCount}
    </span>
    {Array.from({ length: stepCount }, (_, index) => (
      <i key={index} data-done={index < number} />
    ))}
  </div>
))(({ theme }) => ({
  position: 'sticky',
  top: navigationHeight,
  zIndex: 1,
  height: progressHeight,
  marginTop: '-1rem',
  marginBottom: '-0.75rem',
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  background: 'var(--dt-palette-background-paperBand)',
  fontSize: '0.9375rem',
  fontWeight: 600,
  '& span': { marginRight: 'auto' },
  '& i': { width: 28, height: 4, borderRadius: 2, background: 'var(--dt-palette-divider)' },
  '& i[data-done="true"]': { background: 'var(--dt-palette-primary-main)' },
  [shortWindow]: { position: 'static' },
  [theme.breakpoints.up('md')]: { display: 'none' },
}));

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
        // Scroll targets must not be covered by the progress.
        '& :is(input, select, textarea)': { scrollMarginTop: { xs: `calc(4rem + ${progressHeight}px)`, md: '4rem' } },
        '& [data-field]': { scrollMarginTop: { xs: progressHeight, md: 0 } },
      }}
    >
      <Progress number={number} />
      <Box sx={{ position: { md: sticky }, top: 120, alignSelf: 'start', display: 'flex', gap: 3 }}>
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
