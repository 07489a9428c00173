import { type Claim, includedHeading, type Item } from '@dune-tide/domain/content/service-pages';
import type { CaseStudySlug } from '@dune-tide/domain/content/case-study-heads';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { CaseStudyLink } from '../../ui/CaseStudyLink.tsx';
import type { ServicePageDefinition } from './service-page-definition.ts';

/** A thin line in the text colour, on any background. */
const rule = '1px solid color-mix(in srgb, currentColor 38%, transparent)';

const ClaimList = styled('dl')({
  '& > div': { display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' },
  '& dd': { fontVariantNumeric: 'tabular-nums' },
  '&[data-arrangement="row"]': {
    display: 'grid',
    // The minimum is the width of the longest label, "engagement": with large letters the row wraps.
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 5.25em), 1fr))',
    rowGap: 14,
    columnGap: 'clamp(0.75rem, 2vw, 2rem)',
    '& > div': { borderTop: rule, paddingTop: 14 },
  },
  '&[data-arrangement="lines"] > div': {
    flexDirection: 'row-reverse',
    flexWrap: 'wrap-reverse',
    alignItems: 'baseline',
    columnGap: 24,
    borderTop: rule,
    paddingBlock: 14,
    '& dt': { flex: '1 1 6em' },
    '& dd': { minWidth: '2.4em' },
    '&:last-of-type': { borderBottom: rule },
  },
  '&[data-arrangement="single"] > div': {
    flexDirection: 'row-reverse',
    flexWrap: 'wrap-reverse',
    alignItems: 'last baseline',
    columnGap: 24,
    rowGap: 8,
    '& dd': { color: 'var(--dt-palette-primary-main)' },
  },
});

const claimVariant = { row: 'h3', lines: 'h2', single: 'h1' } as const;

interface ClaimsProps {
  readonly claims: readonly Claim[];
  readonly arrangement: ServicePageDefinition['claims'];
}

/** The service's figures. */
export function Claims({ claims, arrangement }: ClaimsProps) {
  return (
    <ClaimList data-arrangement={arrangement}>
      {claims.map(({ value, label }) => (
        <div key={label}>
          <Typography component="dt" variant={arrangement === 'row' ? 'body2' : 'subtitle1'} sx={{ maxWidth: '14em' }}>
            {label}
          </Typography>
          <Typography component="dd" variant={claimVariant[arrangement]}>
            {value}
          </Typography>
        </div>
      ))}
    </ClaimList>
  );
}

const ItemList = styled('ul')(({ theme }) => ({
  marginTop: 'clamp(1rem, 1.6vw, 1.5rem)',
  display: 'grid',
  '& > li': { borderTop: rule, paddingBlock: 16 },
  '&[data-arrangement="pairs"]': {
    columnGap: 'clamp(1rem, 2.2vw, 2rem)',
    rowGap: 12,
    [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  },
  '&[data-arrangement="thirds"]': {
    columnGap: 'clamp(1rem, 2.2vw, 2rem)',
    // Between the two, the column beside the form is too narrow.
    [theme.breakpoints.between('sm', 'md')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
    [theme.breakpoints.up('lg')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
  },
  '&[data-arrangement="lines"] > li': {
    [theme.breakpoints.up('sm')]: {
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 7fr)',
      columnGap: 24,
      alignItems: 'baseline',
    },
  },
}));

interface IncludedProps {
  readonly items: readonly Item[];
  readonly arrangement: ServicePageDefinition['included'];
  readonly example: CaseStudySlug;
}

/** The list of included services, and a case study of them. */
export function Included({ items, arrangement, example }: IncludedProps) {
  return (
    <div>
      <Typography variant="h3" component="h2">
        {includedHeading}
      </Typography>
      <ItemList data-arrangement={arrangement}>
        {items.map(({ title, text }) => (
          <li key={title}>
            <Typography variant="h6" component="h3">
              {title}
            </Typography>
            <Typography variant="body2" sx={{ marginTop: 0.5, maxWidth: '34em' }}>
              {text}
            </Typography>
          </li>
        ))}
      </ItemList>
      <Typography sx={{ borderTop: rule, paddingTop: '16px', fontWeight: 600 }}>
        <CaseStudyLink slug={example} />
      </Typography>
    </div>
  );
}

const StepList = styled('ol')(({ theme }) => ({
  marginTop: '1.25rem',
  display: 'flex',
  flexDirection: 'column',
  gap: 10,
  '& > li': { display: 'flex', alignItems: 'baseline', gap: 12, fontWeight: 600 },
  [theme.breakpoints.up('lg')]: {
    flexDirection: 'row',
    '& > li': { flex: '1 1 auto', display: 'block', borderTop: '2px solid currentColor', paddingTop: 10 },
  },
}));

interface StepsProps {
  readonly heading: string;
  readonly titles: readonly string[];
}

/** The steps of an engagement on one line. */
export function Steps({ heading, titles }: StepsProps) {
  return (
    <div>
      <Typography variant="h4" component="h2">
        {heading}
      </Typography>
      <StepList>
        {titles.map((title, index) => (
          <li key={title}>
            <Typography component="span" variant="h6" aria-hidden="true" sx={{ display: 'block', minWidth: '1ch' }}>
              {index + 1}
            </Typography>
            <Typography component="span" variant="body2" sx={{ fontWeight: 600 }}>
              {title}
            </Typography>
          </li>
        ))}
      </StepList>
    </div>
  );
}
