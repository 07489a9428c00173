import { formGuides, formGuideTexts } from '@dune-tide/domain/content/form-guides';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { use } from 'react';
import { useFormState } from 'react-final-form';
import { Link as RouterLink } from 'react-router-dom';
import { GuideSteps } from '../ui/FormGuide.tsx';
import { FormNote } from './FormNote.tsx';
import { OutcomeContext, type Receipt } from './outcome-context.ts';

/**
 * Shows the text of the success toast until the form is changed or sent again, for visitors who missed the toast, with
 * what was received and what follows (docs/PRODUCT.md, "Form guides"). Only the toast is announced.
 */
export function SentNote() {
  const { thanks, receipt, guide } = use(OutcomeContext);
  const { pristine, modified, submitFailed } = useFormState({
    subscription: { pristine: true, modified: true, submitFailed: true },
  });
  // A field that was changed and then emptied leaves the form pristine.
  const isAsSent = pristine && !submitFailed && !Object.values(modified ?? {}).includes(true);
  if (!thanks || !isAsSent) return null;
  return (
    <FormNote kind="success" isLast>
      <Box component="p" sx={{ margin: 0, ...(guide && { paddingTop: 1, typography: 'body1' }) }}>
        {thanks.title !== undefined && <strong>{thanks.title}</strong>} {thanks.text}
      </Box>
      {receipt && <Received receipt={receipt} />}
      {guide && <Follows guide={guide} />}
    </FormNote>
  );
}

const Values = styled('dl')({
  '& > div': { display: 'flex', flexWrap: 'wrap', columnGap: '1rem', paddingBlock: 3 },
  '& dt': { flex: '0 0 8rem', color: 'var(--dt-palette-text-secondary)' },
  '& dd': { flex: '1 1 9rem', minWidth: 0, overflowWrap: 'anywhere' },
});

function Received({ receipt }: { readonly receipt: Receipt }) {
  return (
    <>
      <PanelHead>{formGuideTexts.received}</PanelHead>
      <Values>
        {receipt
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </Values>
    </>
  );
}

function Follows({ guide }: { readonly guide: keyof typeof formGuides }) {
  const chosen = formGuides[guide];
  return (
    <>
      <PanelHead>{formGuideTexts.follows}</PanelHead>
      <GuideSteps steps={chosen.steps} />
      {'further' in chosen && (
        <Box component="p" sx={{ margin: 0, paddingBlock: 1, borderTop: 1, borderColor: 'divider' }}>
          <Link component={RouterLink} to={chosen.further.href} sx={{ fontWeight: 600 }}>
            {chosen.further.label}
          </Link>
        </Box>
      )}
    </>
  );
}

function PanelHead({ children }: { readonly children: string }) {
  return (
    <Typography variant="h6" component="p" sx={{ marginTop: 2.5, marginBottom: 0.5 }}>
      {children}
    </Typography>
  );
}
