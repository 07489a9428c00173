import {
  caseStudyHeads,
  caseStudyLead,
  caseStudyPath,
  type CaseStudySlug,
} from '@dune-tide/domain/content/case-study-heads';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';

/** The title of a case study, which leads to its page, and its client. */
export function CaseStudyLink({ slug }: { readonly slug: CaseStudySlug }) {
  const { title, client } = caseStudyHeads[slug];
  return (
    <>
      {caseStudyLead}{' '}
      <Link component={RouterLink} to={caseStudyPath(slug)}>
        {title}
      </Link>
      , {client}
    </>
  );
}
