import type { CaseStudySlug } from '@dune-tide/domain/content/case-study-heads';
import type { formGuides } from '@dune-tide/domain/content/form-guides';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Columns } from './Band.tsx';
import { ArabicLine, FormGuide } from './FormGuide.tsx';
import { LoadBoundary } from './LoadBoundary.tsx';
import { sticky } from '../styles/layout-constants.ts';

interface FormColumnsProps {
  readonly headingId: string;
  readonly heading: string;
  readonly introduction: string;
  /** Shown below the introduction. */
  readonly contact?: ReactNode;
  readonly guide: keyof typeof formGuides;
  /** The case study below the guide. */
  readonly example?: CaseStudySlug;
  /** The number of columns of the introduction, out of twelve. The form has the rest but one. */
  readonly span: 4 | 5;
  /** The form's height in pixels, reserved until the form has loaded after navigation from another page. */
  readonly formHeight: Readonly<Record<'xs' | 'sm', number>>;
  /** The form. */
  readonly children: ReactNode;
}

/** A form beside its introduction and its guide; in narrow windows, the guide follows the form. */
export function FormColumns({
  headingId,
  heading,
  introduction,
  contact,
  guide,
  example,
  span,
  formHeight,
  children,
}: FormColumnsProps) {
  const beside = { md: `1 / span ${span}` };
  return (
    <Columns sx={{ rowGap: 6, gridTemplateRows: { md: 'auto 1fr' } }}>
      <Box sx={{ gridColumn: beside }}>
        <Typography id={headingId} variant="h2">
          {heading}
        </Typography>
        <Typography variant="subtitle1" sx={{ marginTop: 3, color: 'text.secondary', maxWidth: '26em' }}>
          {introduction}
        </Typography>
        <ArabicLine />
        {contact}
      </Box>
      <Box sx={{ gridColumn: { md: `${span + 2} / -1` }, gridRow: { md: '1 / span 2' }, minHeight: formHeight }}>
        <LoadBoundary isOfForm>{children}</LoadBoundary>
      </Box>
      <Box sx={{ gridColumn: beside, maxWidth: '30rem' }}>
        <Box sx={{ position: { md: sticky }, top: 120 }}>
          <FormGuide form={guide} example={example} />
        </Box>
      </Box>
    </Columns>
  );
}
