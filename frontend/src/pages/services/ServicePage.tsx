import { serviceFormPromise } from '@dune-tide/domain/content/service-pages';
import Box from '@mui/material/Box';
import GlobalStyles from '@mui/material/GlobalStyles';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { type RefObject, useRef } from 'react';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { pageWidth } from '../../ui/Band.tsx';
import { ArabicLine, FormGuide } from '../../ui/FormGuide.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { ArrowDownIcon } from '../../ui/icons.tsx';
import { inkColour } from '../../styles/palette-variables.ts';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import { navigationHeight, shortWindow, wideFrom } from '../../styles/layout-constants.ts';
import { BackToHome } from '../../layouts/site/BackToHome.tsx';
import { frosted } from '../../layouts/site/frosted.ts';
import { useIsOverDark } from '../../layouts/site/use-is-over-dark.ts';
import { Claims, Included, Steps } from './parts.tsx';
import { useIsAtTop } from './use-is-at-top.ts';
import type { ServicePageDefinition, ServicePagePart } from './service-page-definition.ts';

const ServiceInquiryForm = lazyForm(() => import('../../features/inquiries/ServiceInquiryForm.tsx'));

const headingId = 'service-heading';
const requestId = 'request';

/** The height of the page's own bar, which sticks below the site's. */
const barHeight = 52;

/** Windows in which the form is below the description. */
const narrowPage = `@media (max-width: ${wideFrom - 0.003}rem)`;

/** Two columns that reach the edges of the window; their content keeps the page's width. */
const Split = styled('div')(({ theme }) => ({
  [theme.breakpoints.up('md')]: {
    display: 'grid',
    gridTemplateColumns:
      'minmax(clamp(1.25rem, 4.5vw, 4rem), 1fr) minmax(0, 43rem) minmax(0, 35rem) minmax(clamp(1.25rem, 4.5vw, 4rem), 1fr)',
  },
}));

const Information = styled('section')(({ theme }) => ({
  '--gap': 'clamp(2.5rem, 4.5vw, 4.25rem)',
  color: 'var(--dt-palette-text-primary)',
  paddingBlock: 'var(--gap)',
  display: 'grid',
  rowGap: 'var(--gap)',
  gridTemplateColumns: 'clamp(1.25rem, 4.5vw, 4rem) minmax(0, 1fr) clamp(1.25rem, 4.5vw, 4rem)',
  '& > *': { gridColumn: 2 },
  [theme.breakpoints.up('md')]: {
    gridColumn: '1 / 3',
    gridTemplateColumns: 'subgrid',
    '& > :not([data-part="art"])': { marginRight: 'clamp(2rem, 5vw, 5rem)' },
  },
}));

/** Reaches the edges of its column. Beside the form it has its own composition, and fills the remaining height. */
const Picture = styled('div')(({ theme }) => ({
  '&&': { gridColumn: '1 / -1' },
  overflow: 'hidden',
  '& > :last-child': { display: 'none' },
  [theme.breakpoints.up('md')]: {
    position: 'relative',
    minHeight: 'min(28rem, 80vw)',
    '& > :first-child': { display: 'none' },
    '& > :last-child': { display: 'block', position: 'absolute', inset: 0 },
  },
}));

interface JumpBarProps {
  readonly label: string;
  /** The form's part of the page. */
  readonly request: RefObject<HTMLElement | null>;
}

/**
 * The bar with the way back and, on phones, to the form. It is separate from the page, because an update of the page
 * makes React replace a form that is not hydrated yet.
 */
function JumpBar({ label, request }: JumpBarProps) {
  const isOverDark = useIsOverDark(navigationHeight + barHeight / 2);
  const isInForm = useIsAtTop(request);
  return (
    <Box
      data-tone={isOverDark ? 'night' : undefined}
      sx={{
        position: 'sticky',
        top: navigationHeight,
        // On phones the bar leaves the form its space.
        ...(isInForm && { [narrowPage]: { position: 'static' } }),
        [shortWindow]: { position: 'static' },
        // Below the site's bar, whose menu opens over it.
        zIndex: 1000,
        marginTop: `${navigationHeight}px`,
        ...frosted,
        color: 'text.primary',
        borderBottom: 1,
        borderColor: 'divider',
        displayPrint: 'none',
      }}
    >
      <Box
        sx={{
          ...pageWidth,
          height: barHeight - 1,
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
        }}
      >
        <BackToHome />
        <Link
          href={`#${requestId}`}
          underline="hover"
          sx={{
            display: { xs: 'inline-flex', md: 'none' },
            // A shortcut to the form, hidden where the link back needs the space.
            '@media (max-width: 21.997rem)': { display: 'none' },
            alignItems: 'center',
            gap: 0.75,
            minHeight: 44,
            color: 'primary.main',
            fontWeight: 600,
            fontSize: '0.9375rem',
            '& svg': { fontSize: '1.125rem' },
          }}
        >
          {label}
          <ArrowDownIcon />
        </Link>
      </Box>
    </Box>
  );
}

/** A service's page (docs/PRODUCT.md, "Service pages"): the description on the left, its form on the right. */
export function ServicePage({ definition }: { readonly definition: ServicePageDefinition }) {
  const { content, questions, ground, writing, parts } = definition;
  const request = useRef<HTMLElement>(null);
  return (
    <>
      {/* Scroll targets must not be covered by the two bars. */}
      <GlobalStyles
        styles={{
          html: {
            scrollPaddingTop: navigationHeight + barHeight + 24,
            [narrowPage]: { scrollPaddingTop: navigationHeight },
            [shortWindow]: { scrollPaddingTop: navigationHeight },
          },
        }}
      />
      <JumpBar label={content.form.submit} request={request} />
      <Split>
        <Information
          aria-labelledby={headingId}
          data-tone={writing === 'light' ? 'night' : undefined}
          style={{ background: inkColour(ground) }}
          // The form is higher than this column, and the drawing fills the rest.
          sx={{ gridTemplateRows: { md: parts.map((part) => (part === 'art' ? '1fr' : 'auto')).join(' ') } }}
        >
          {parts.map((part) => (
            <Part key={part} part={part} definition={definition} />
          ))}
        </Information>
        <Box
          component="section"
          ref={request}
          id={requestId}
          tabIndex={-1}
          aria-labelledby={`${requestId}-heading`}
          sx={{
            gridColumn: '3',
            display: 'flex',
            flexDirection: 'column',
            bgcolor: 'background.default',
            paddingBlock: 'clamp(2.5rem, 4.5vw, 4.25rem)',
            paddingInline: { xs: 'clamp(1.25rem, 4.5vw, 4rem)', md: 0 },
            paddingLeft: { md: 'clamp(2rem, 5vw, 5rem)' },
          }}
        >
          <Typography id={`${requestId}-heading`} variant="h3" component="h2">
            {content.form.heading}
          </Typography>
          <Typography sx={{ marginTop: 1.5, color: 'text.secondary' }}>{serviceFormPromise}</Typography>
          <ArabicLine />
          <Box sx={{ order: { xs: 1, md: 0 }, marginTop: { xs: 6, md: 3.5 } }}>
            <FormGuide form="inquiry" />
          </Box>
          <Box sx={{ marginTop: 3.5 }}>
            <LoadBoundary isOfForm>
              <ServiceInquiryForm questions={questions} texts={content.form} />
            </LoadBoundary>
          </Box>
        </Box>
      </Split>
    </>
  );
}

function Part({ part, definition }: { readonly part: ServicePagePart; readonly definition: ServicePageDefinition }) {
  const { content, art, fit, claims, included, example } = definition;
  switch (part) {
    case 'head':
      return (
        <div>
          <Typography id={headingId} variant="h2" component="h1">
            {content.title}
          </Typography>
          <Typography variant="subtitle1" sx={{ marginTop: 2.5, maxWidth: '32em' }}>
            {content.introduction}
          </Typography>
        </div>
      );
    case 'art':
      return (
        <Picture data-part="art">
          <ArtPicture art={art.above} />
          <ArtPicture art={art.beside} fit={fit} />
        </Picture>
      );
    case 'claims':
      return <Claims claims={content.claims} arrangement={claims} />;
    case 'steps':
      return content.steps ? <Steps {...content.steps} /> : null;
    case 'included':
      return <Included items={content.included} arrangement={included} example={example} />;
  }
}
