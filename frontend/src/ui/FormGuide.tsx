import type { CaseStudySlug } from '@dune-tide/domain/content/case-study-heads';
import { formGuides, formGuideTexts, type GuideStep } from '@dune-tide/domain/content/form-guides';
import { studioFacts } from '@dune-tide/domain/content/studio-facts';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { CaseStudyLink } from './CaseStudyLink.tsx';

const List = styled('ol')({
  marginTop: '0.75rem',
  '& li': {
    position: 'relative',
    // Below each other where large letters leave no room for both.
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '1rem',
    alignItems: 'baseline',
    paddingBlock: '0.6rem',
    borderTop: '1px solid var(--dt-palette-divider)',
  },
  '& strong': { flex: '0 0 8rem', fontWeight: 600 },
  '& span': { flex: '1 1 9rem', minWidth: 0 },
  '&[data-arrangement="row"]': {
    display: 'grid',
    gap: '0 clamp(1rem, 2.2vw, 2rem)',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 15rem), 1fr))',
    '& li': { display: 'block' },
    '& :is(strong, span)': { display: 'block' },
  },
});

interface StepsProps {
  readonly steps: readonly GuideStep[];
  readonly arrangement?: 'lines' | 'row';
}

/** The steps that follow, each with its time. */
export function GuideSteps({ steps, arrangement = 'lines' }: StepsProps) {
  return (
    <List data-arrangement={arrangement}>
      {steps.map(({ when, what }) => (
        <Typography key={when} component="li" variant="body2">
          <strong>{when}</strong>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {what}
          </Box>
        </Typography>
      ))}
    </List>
  );
}

/** Invites visitors to write in Arabic or English, below a form's introduction. */
export function ArabicLine() {
  return (
    <Typography
      lang="ar"
      dir="rtl"
      sx={{
        // On the left, like the introduction above it.
        width: 'fit-content',
        marginTop: 1.5,
        fontFamily: ({ typography }) => `'Arabic Line', ${typography.fontFamily}`,
        fontWeight: 600,
      }}
    >
      {formGuideTexts.arabic}
    </Typography>
  );
}

interface FormGuideProps {
  readonly form: keyof typeof formGuides;
  /** One step below the other, or side by side where there is room. */
  readonly arrangement?: StepsProps['arrangement'];
  readonly heading?: 'h2' | 'h3';
  /** A case study whose result matters to those who fill in the form. */
  readonly example?: CaseStudySlug | undefined;
}

/**
 * The steps after a form is sent, who reads it, and a case study (docs/PRODUCT.md, "Form guides"). Pages show it beside
 * or above the form, and in narrow windows below it, so that it does not come between a visitor and the first field.
 */
export function FormGuide({ form, arrangement, heading = 'h3', example }: FormGuideProps) {
  const reader = studioFacts.readers[form];
  return (
    <Box
      sx={({ breakpoints }) => ({
        // There it would repeat the panel above it that appears after a form is sent.
        [breakpoints.down('md')]: { 'section:has([data-note="success"]) &': { display: 'none' } },
      })}
    >
      <Typography variant="h6" component={heading}>
        {formGuideTexts.heading}
      </Typography>
      <GuideSteps steps={formGuides[form].steps} {...(arrangement && { arrangement })} />
      <Typography
        variant="body2"
        sx={{ paddingTop: 1.25, borderTop: 1, borderColor: 'divider', color: 'text.secondary' }}
      >
        {reader === undefined ? formGuideTexts.reader : `${reader}, reads every message.`}
      </Typography>
      {example && (
        <Typography variant="body2" sx={{ marginTop: 1 }}>
          <CaseStudyLink slug={example} />
        </Typography>
      )}
    </Box>
  );
}
