import { careers } from '@dune-tide/domain/content/careers';
import { Band } from '../../ui/Band.tsx';
import { FormColumns } from '../../ui/FormColumns.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import type { PositionChoice } from '../../features/career-application/position-choice.ts';

const CareerApplicationForm = lazyForm(() => import('../../features/career-application/CareerApplicationForm.tsx'));

/** The anchor of the form. */
export const applicationId = 'application-form';

export function Application({ choice }: { readonly choice: PositionChoice }) {
  return (
    <Band tone="paper" id={applicationId} labelledBy="application-heading">
      <FormColumns
        headingId="application-heading"
        heading={careers.application.heading}
        introduction={careers.application.introduction}
        guide="application"
        span={4}
        formHeight={{ xs: 1400, sm: 960 }}
      >
        <CareerApplicationForm choice={choice} />
      </FormColumns>
    </Band>
  );
}
