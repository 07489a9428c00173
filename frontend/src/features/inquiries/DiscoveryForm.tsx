import { brand } from '@dune-tide/domain/brand';
import { kingrose } from '@dune-tide/domain/content/kingrose';
import {
  discoveryForm,
  discoveryInterests,
  type DiscoveryRequest,
  discoveryTimeframes,
  investmentRanges,
  organizationTypes,
} from '@dune-tide/domain/forms/discovery';
import Box from '@mui/material/Box';
import validate from 'virtual:validator/discovery';
import { FieldGroup, FullWidth } from '../../form/FieldGroup.tsx';
import { PublicForm } from '../../form/PublicForm.tsx';
import { SelectField } from '../../form/SelectField.tsx';
import { SubmitRow } from '../../form/SubmitRow.tsx';
import { TextField } from '../../form/TextField.tsx';
import { discoveryPayload } from './discovery-payload.ts';

const { sections, hints } = kingrose.contact;

/** The discovery request form (docs/PRODUCT.md, "Discovery form"). */
export default function DiscoveryForm() {
  return (
    <PublicForm<DiscoveryRequest>
      label="Discovery request"
      schema={discoveryForm}
      validate={validate}
      url="/api/service-inquiry"
      bodyOf={discoveryPayload}
      thanks={{
        title: 'Discovery Request Submitted!',
        text: `We'll contact you within ${brand.responsePromiseHours} hours to schedule your ROI assessment session.`,
      }}
      failureText="Failed to submit request. Please try again."
      guide="discovery"
      receipt={({ name, email, company, specificSolutions, investmentRange, timeframe }) => [
        ['Name', name],
        ['Email', email],
        ['Organization', company],
        ['Interest', specificSolutions],
        ['Investment', investmentRange],
        ['Timeframe', timeframe],
      ]}
    >
      <FieldGroup title={sections.person}>
        <TextField name="name" label="Full Name" autoComplete="name" />
        <TextField name="email" label="Email" type="email" inputMode="email" autoComplete="email" />
        <TextField name="company" label="Organization/Company" autoComplete="organization" />
        <TextField name="phone" label="Phone" type="tel" inputMode="tel" autoComplete="tel" />
      </FieldGroup>
      <FieldGroup title={sections.plan} areChoices>
        <SelectField
          name="organizationType"
          label="Organization Type"
          options={organizationTypes}
          placeholder="Select organization type"
        />
        <SelectField
          name="investmentRange"
          label="AI Investment Range"
          options={investmentRanges}
          placeholder="Select investment range"
        />
        <SelectField
          name="timeframe"
          label="Implementation Timeframe"
          options={discoveryTimeframes}
          placeholder="Select timeframe"
        />
        <SelectField
          name="specificSolutions"
          label="Primary Interest"
          options={discoveryInterests}
          placeholder="Select area of interest"
        />
      </FieldGroup>
      <FieldGroup title={sections.work}>
        <FullWidth>
          <TextField
            name="currentChallenges"
            label="What are your biggest challenges?"
            rows={3}
            hint={hints.currentChallenges}
          />
        </FullWidth>
        <FullWidth>
          <TextField name="aiGoals" label="What AI outcomes do you want?" rows={3} hint={hints.aiGoals} />
        </FullWidth>
      </FieldGroup>
      <Box sx={{ marginTop: 2 }}>
        <SubmitRow label="Request Discovery Session" pendingLabel="Submitting..." />
      </Box>
    </PublicForm>
  );
}
