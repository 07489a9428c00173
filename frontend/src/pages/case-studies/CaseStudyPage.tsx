import { serviceArt } from '@dune-tide/domain/art/services';
import type { CaseStudyScreen, CaseStudyStory, Metric } from '@dune-tide/domain/content/case-study';
import { caseStudyHeads, caseStudyPath, caseStudySlugs } from '@dune-tide/domain/content/case-study-heads';
import { caseStudyPage as texts } from '@dune-tide/domain/content/case-study-page';
import { services } from '@dune-tide/domain/content/services';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ComponentType } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { SectionLink } from '../../layouts/site/SectionLink.tsx';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { ArrowLeftIcon, ArrowRightIcon } from '../../ui/icons.tsx';
import { ScreenPicture } from '../../ui/ScreenPicture.tsx';

/**
 * Returns the page of a case study (docs/PRODUCT.md, "Case study pages") as a component without properties.
 * @param story - the texts and pictures
 */
export function caseStudyPageOf(story: CaseStudyStory): ComponentType {
  return function CaseStudyPage() {
    return (
      <>
        <Hero story={story} />
        <Problem story={story} />
        <Made story={story} />
        <Result story={story} />
        <Closing story={story} />
      </>
    );
  };
}

interface PartProps {
  readonly story: CaseStudyStory;
}

const headingId = 'case-study-heading';

const Frame = styled('div')({ borderRadius: 4, overflow: 'hidden' });

const backStyles = {
  '& a': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 1,
    minHeight: 44,
    fontWeight: 600,
    fontSize: '0.9375rem',
    '& svg': { fontSize: '1.25rem', transition: 'transform 200ms' },
    '&:hover svg': { transform: 'translateX(-4px)' },
  },
};

function Hero({ story: { study, summary } }: PartProps) {
  return (
    <Box component="section" aria-labelledby={headingId} sx={{ bgcolor: 'background.sandBand' }}>
      <Columns
        sx={{
          paddingTop: 'clamp(5.5rem, 8vw, 7rem)',
          paddingBottom: 'clamp(2.5rem, 5vw, 5rem)',
          rowGap: 4,
          alignItems: 'end',
        }}
      >
        <Box sx={{ gridColumn: { md: '1 / span 6', lg: '1 / span 5' } }}>
          <Box sx={backStyles}>
            <SectionLink section="portfolio">
              <ArrowLeftIcon />
              {texts.all}
            </SectionLink>
          </Box>
          <Typography
            variant="overline"
            sx={{ display: 'block', marginTop: 'clamp(1rem, 3vw, 2.5rem)', color: 'primary.main' }}
          >
            {study.client}
          </Typography>
          <Typography id={headingId} variant="h2" component="h1" sx={{ marginTop: 1 }}>
            {study.title}
          </Typography>
          <Typography variant="subtitle1" sx={{ marginTop: 'clamp(1.25rem, 2.2vw, 2rem)', maxWidth: '30em' }}>
            {summary}
          </Typography>
        </Box>
        <Frame sx={{ gridColumn: { md: '7 / -1', lg: '6 / -1' } }}>
          <ArtPicture art={study.art} />
        </Frame>
        <Facts>
          <Fact name={texts.facts.kind} value={study.category} />
          <Fact name={texts.facts.included} value={study.tags.join(', ')} />
        </Facts>
      </Columns>
    </Box>
  );
}

const Facts = styled('dl')(({ theme }) => ({
  display: 'grid',
  columnGap: 'clamp(1rem, 2.2vw, 2rem)',
  rowGap: '0.75rem',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: '5fr 7fr' },
  '& > div': { borderTop: '1px solid var(--dt-palette-divider)', paddingTop: '0.75rem' },
  '& dt': { color: 'var(--dt-palette-text-secondary)' },
  '& dd': { fontWeight: 600 },
}));

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <Typography component="dt" variant="caption">
        {name}
      </Typography>
      <Typography component="dd">{value}</Typography>
    </div>
  );
}

function Problem({ story }: PartProps) {
  return (
    <Band tone="paper" labelledBy="problem-heading">
      <Columns sx={{ rowGap: 3 }}>
        <Typography id="problem-heading" variant="h2" sx={{ gridColumn: { md: '1 / span 5' } }}>
          {texts.problem}
        </Typography>
        <Box sx={{ gridColumn: { md: '6 / -1' }, maxWidth: '46rem' }}>
          {story.problem.map((paragraph, index) => (
            <Typography
              key={paragraph}
              variant="subtitle1"
              sx={{ marginTop: index === 0 ? 0 : 2.5, color: index === 0 ? 'text.primary' : 'text.secondary' }}
            >
              {paragraph}
            </Typography>
          ))}
        </Box>
      </Columns>
    </Band>
  );
}

/** The text, then a wide screen beside a tall one, and another wide one in the next row. */
function Made({ story: { made, screens } }: PartProps) {
  const [first, second, third] = screens;
  return (
    <Band tone="sand" labelledBy="made-heading">
      <Columns sx={{ rowGap: 'clamp(1.5rem, 3vw, 2.5rem)' }}>
        <Typography id="made-heading" variant="h2" sx={{ gridColumn: { md: '1 / span 5' } }}>
          {texts.made}
        </Typography>
        <Typography
          variant="subtitle1"
          sx={{ gridColumn: { md: '6 / -1' }, maxWidth: '46rem', marginBottom: 'clamp(1rem, 3vw, 3rem)' }}
        >
          {made}
        </Typography>
        <Shown {...first} columns={{ sm: '1 / span 8' }} />
        <Shown {...second} columns={{ sm: '9 / -1' }} />
        <Shown {...third} columns={{ sm: '3 / -1', md: '5 / -1' }} />
      </Columns>
    </Band>
  );
}

const Figure = styled('figure')(({ theme }) => ({
  margin: 0,
  display: 'grid',
  rowGap: '0.75rem',
  [theme.breakpoints.up('sm')]: { gridRow: 'span 2', gridTemplateRows: 'subgrid' },
}));

interface ShownProps extends CaseStudyScreen {
  readonly columns: Readonly<Record<string, string>>;
}

/** A screen with its caption. The screens of a row are equally high. */
function Shown({ screen, caption, columns }: ShownProps) {
  return (
    <Figure sx={{ gridColumn: columns }}>
      <Frame sx={{ '& svg': { height: { sm: '100%' } } }}>
        <ScreenPicture screen={screen} fit="cover" />
      </Frame>
      <Typography component="figcaption" sx={{ color: 'text.secondary', maxWidth: '34em' }}>
        {caption}
      </Typography>
    </Figure>
  );
}

const Figures = styled('dl')(({ theme }) => ({
  display: 'grid',
  columnGap: 'clamp(1rem, 2.2vw, 2rem)',
  rowGap: '1.5rem',
  [theme.breakpoints.up('sm')]: { gridTemplateColumns: 'repeat(auto-fit, minmax(11rem, 1fr))' },
  '& > div': {
    display: 'flex',
    flexDirection: 'column-reverse',
    justifyContent: 'flex-end',
    borderTop: '1px solid var(--dt-palette-divider)',
    paddingTop: '1.25rem',
  },
  '& dd': { color: 'var(--dt-palette-primary-main)' },
}));

function Result({ story: { study, result } }: PartProps) {
  return (
    <Band tone="night" labelledBy="result-heading">
      <Columns sx={{ rowGap: 'clamp(2rem, 4vw, 4rem)' }}>
        <Typography id="result-heading" variant="h2" sx={{ gridColumn: { md: '1 / span 5' } }}>
          {texts.result}
        </Typography>
        <Typography variant="subtitle1" sx={{ gridColumn: { md: '6 / -1' }, maxWidth: '46rem' }}>
          {result}
        </Typography>
        <Figures>
          {study.metrics.map((metric: Metric) => (
            <div key={metric.label}>
              <Typography component="dt" sx={{ marginTop: 1, color: 'text.secondary', maxWidth: '16em' }}>
                {metric.label}
              </Typography>
              <Typography component="dd" variant="h2">
                {metric.value}
              </Typography>
            </div>
          ))}
        </Figures>
      </Columns>
    </Band>
  );
}

/** The service with the button to its form, and the next case study. */
function Closing({ story: { study, service: slug, startsWithDiscovery } }: PartProps) {
  const service = services.find((candidate) => candidate.slug === slug);
  if (!service) return null;
  const form = startsWithDiscovery === true ? '/kingrose#contact' : `${service.href}#request`;
  const place = caseStudySlugs.indexOf(study.slug);
  const next = caseStudyHeads[caseStudySlugs[(place + 1) % caseStudySlugs.length] ?? study.slug];
  return (
    <Band tone="paper">
      <Columns sx={{ rowGap: 3, alignItems: 'center' }}>
        <Frame sx={{ gridColumn: { xs: '1 / span 4', sm: '1 / span 2' } }}>
          <ArtPicture art={serviceArt[slug]} decorative />
        </Frame>
        <Box sx={{ gridColumn: { xs: '5 / -1', sm: '3 / -1', md: '3 / span 6' } }}>
          <Typography variant="overline" component="h2" sx={{ color: 'text.secondary' }}>
            {texts.service}
          </Typography>
          <Typography variant="h3" component="p">
            <Link component={RouterLink} to={service.href} underline="hover">
              {service.title}
            </Link>
          </Typography>
          <Typography
            sx={{ marginTop: 1, color: 'text.secondary', maxWidth: '36em', display: { xs: 'none', sm: 'block' } }}
          >
            {service.description}
          </Typography>
        </Box>
        <Box sx={{ gridColumn: { md: '9 / -1' }, justifySelf: { md: 'end' } }}>
          <Button component={RouterLink} to={form} variant="contained">
            {texts.start}
          </Button>
        </Box>
      </Columns>
      <Columns sx={{ marginTop: 'clamp(3rem, 6vw, 6rem)' }}>
        <Box
          component={RouterLink}
          to={caseStudyPath(next.slug)}
          sx={{
            display: 'grid',
            gridTemplateColumns: 'minmax(0, 1fr) auto',
            columnGap: 3,
            alignItems: 'end',
            borderTop: 1,
            borderColor: 'divider',
            paddingTop: 3,
            color: 'inherit',
            textDecoration: 'none',
            '& svg': { fontSize: 'clamp(1.75rem, 4vw, 3rem)', transition: 'transform 200ms' },
            '&:hover svg': { transform: 'translateX(8px)' },
            '&:hover [data-title]': {
              textDecoration: 'underline',
              textDecorationThickness: 2,
              textUnderlineOffset: '0.15em',
            },
          }}
        >
          <span>
            <Typography component="span" variant="overline" sx={{ display: 'block', color: 'primary.main' }}>
              {texts.next}: {next.client}
            </Typography>
            <Typography component="span" variant="h2" data-title="" sx={{ display: 'block', marginTop: 1 }}>
              {next.title}
            </Typography>
          </span>
          <ArrowRightIcon />
        </Box>
      </Columns>
    </Band>
  );
}
