import type { Art } from '@dune-tide/domain/art/art';
import type { CaseStudy, Metric } from '@dune-tide/domain/content/case-study';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { caseStudyPath } from '@dune-tide/domain/content/case-study-heads';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Columns } from '../../ui/Band.tsx';
import { pictureFrame } from '../../styles/motion.ts';
import { inkColour } from '../../styles/palette-variables.ts';

const Frame = styled('div')({ borderRadius: 4, ...pictureFrame });

/** Returns the background colour of a drawing, which is its first shape. */
function groundOf({ shapes: [ground] }: Art): string | undefined {
  return ground?.fill && inkColour(ground.fill);
}

/** The category and the client. */
function Kind({ study }: { readonly study: CaseStudy }) {
  return (
    <Typography
      variant="caption"
      component="p"
      sx={{ color: 'text.secondary', display: 'flex', flexWrap: 'wrap', columnGap: '1em', overflow: 'clip' }}
    >
      <Box component="span" sx={{ color: 'primary.main', fontWeight: 600 }}>
        {study.category}
      </Box>
      <Box component="span" sx={{ position: 'relative' }}>
        {/* Positioned in the gap, so that it is clipped when the client wraps to another line. */}
        <Box component="span" sx={{ position: 'absolute', right: '100%', width: '1em', textAlign: 'center' }}>
          {' · '}
        </Box>
        {study.client}
      </Box>
    </Typography>
  );
}

/** A card whose whole area is the link of its title. */
const linked = { position: 'relative' } as const;

/** The title of a case study, which leads to its page. */
function Title({ study }: { readonly study: CaseStudy }) {
  return (
    <Link
      component={RouterLink}
      to={caseStudyPath(study.slug)}
      underline="hover"
      sx={{ '&::after': { content: '""', position: 'absolute', inset: 0 } }}
    >
      {study.title}
    </Link>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
      {tags.join(', ')}
    </Typography>
  );
}

const MetricList = styled('dl')({
  display: 'grid',
  '& > div': { display: 'flex', flexDirection: 'column-reverse', justifyContent: 'start' },
});

function Metrics({ metrics, isLarge = false }: { readonly metrics: readonly Metric[]; readonly isLarge?: boolean }) {
  // Fewer columns if the labels would not fit.
  const width = metrics.length === 3 ? 'max(4.2em, (100% - 32px) / 3)' : 'max(5.5em, (100% - 16px) / 2)';
  return (
    <MetricList
      sx={{
        gridTemplateColumns: `repeat(auto-fit, minmax(min(100%, ${width}), 1fr))`,
        columnGap: 2,
        rowGap: isLarge ? 2.5 : 1.5,
      }}
    >
      {metrics.map((metric) => (
        <div key={metric.label}>
          <Typography component="dt" variant="caption" sx={{ color: 'text.secondary' }}>
            {metric.label}
          </Typography>
          <Typography component="dd" variant={isLarge ? 'h3' : 'h5'}>
            {metric.value}
          </Typography>
        </div>
      ))}
    </MetricList>
  );
}

interface FeaturedCaseStudyProps {
  readonly study: CaseStudy;
  /** Whether the picture is on the right. */
  readonly isMirrored: boolean;
}

/** A large case study: the picture over eight columns, the text and its figures beside it. */
export function FeaturedCaseStudy({ study, isMirrored }: FeaturedCaseStudyProps) {
  return (
    <Columns
      as="article"
      sx={{
        ...linked,
        maxWidth: 'none',
        paddingInline: 0,
        alignItems: { xs: 'end', md: 'start', lg: 'end' },
        rowGap: 3,
      }}
    >
      <Frame
        sx={{
          gridColumn: { md: isMirrored ? '6 / -1' : '1 / span 7', lg: isMirrored ? '5 / -1' : '1 / span 8' },
          gridRow: { md: 1 },
        }}
      >
        <ArtPicture art={study.art} />
      </Frame>
      <Box
        sx={{
          gridColumn: { md: isMirrored ? '1 / span 5' : '8 / -1', lg: isMirrored ? '1 / span 4' : '9 / -1' },
          gridRow: { md: 1 },
        }}
      >
        <Kind study={study} />
        <Typography variant="h3" sx={{ marginTop: 1 }}>
          <Title study={study} />
        </Typography>
        <Typography sx={{ marginTop: 2, marginBottom: 3, color: 'text.secondary', maxWidth: '36em' }}>
          {study.description}
        </Typography>
        <Metrics metrics={study.metrics} isLarge />
        <Box sx={{ marginTop: 3 }}>
          <Tags tags={study.tags} />
        </Box>
      </Box>
    </Columns>
  );
}

export function CaseStudyCard({ study }: { readonly study: CaseStudy }) {
  return (
    <Box
      component="li"
      sx={{
        ...linked,
        bgcolor: 'background.sandBand',
        borderRadius: 1,
        overflow: 'hidden',
        display: 'grid',
        gridTemplateRows: 'auto 1fr',
        // The last of an odd number spans both columns.
        '&:last-child:nth-of-type(odd)': {
          gridColumn: { sm: '1 / -1', md: 'auto' },
          gridTemplateColumns: { sm: 'repeat(2, minmax(0, 1fr))', md: 'none' },
          gridTemplateRows: { sm: 'none', md: 'auto 1fr' },
        },
      }}
    >
      {/* If the text is higher than the drawing, the drawing's background fills the rest. */}
      <Box sx={{ display: 'grid', alignItems: 'center', ...pictureFrame }} style={{ background: groundOf(study.art) }}>
        <ArtPicture art={study.art} />
      </Box>
      <Box sx={{ padding: 'clamp(1.25rem, 2vw, 1.75rem)', display: 'flex', flexDirection: 'column' }}>
        <Kind study={study} />
        <Typography variant="h4" component="h3" sx={{ marginTop: 1 }}>
          <Title study={study} />
        </Typography>
        <Typography variant="body2" sx={{ marginTop: 1.5, marginBottom: 3, color: 'text.secondary' }}>
          {study.description}
        </Typography>
        <Box sx={{ marginTop: 'auto' }}>
          <Metrics metrics={study.metrics} />
          <Box sx={{ marginTop: 2 }}>
            <Tags tags={study.tags} />
          </Box>
        </Box>
      </Box>
    </Box>
  );
}

interface CaseStudyRowProps {
  readonly study: CaseStudy;
  /** Rendered only when the list is expanded, because the pictures would be most of the page's size. */
  readonly hasPicture: boolean;
}

/** A case study in the expanded list: one row with a small picture. */
export function CaseStudyRow({ study, hasPicture }: CaseStudyRowProps) {
  return (
    <Box
      component="li"
      sx={{
        ...linked,
        display: 'grid',
        ...(hasPicture && { gridTemplateColumns: { sm: 'minmax(0, 2fr) minmax(0, 3fr)' } }),
        gap: 'clamp(1rem, 2.2vw, 2rem)',
        alignItems: 'start',
        paddingBlock: 4,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {hasPicture && (
        <Frame>
          <ArtPicture art={study.art} />
        </Frame>
      )}
      <div>
        <Kind study={study} />
        <Typography variant="h4" component="h3" sx={{ marginTop: 0.5 }}>
          <Title study={study} />
        </Typography>
        <Typography variant="body2" sx={{ marginTop: 1, marginBottom: 2, color: 'text.secondary' }}>
          {study.description}
        </Typography>
        <Metrics metrics={study.metrics} />
        <Box sx={{ marginTop: 1.5 }}>
          <Tags tags={study.tags} />
        </Box>
      </div>
    </Box>
  );
}
