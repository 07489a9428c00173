import { coverThumbnail } from '@dune-tide/domain/art/hero';
import { brand } from '@dune-tide/domain/brand';
import { featuredCaseStudies, highlightCaseStudies, moreCaseStudies } from '@dune-tide/domain/content/case-studies';
import { home } from '@dune-tide/domain/content/home';
import { homeHero } from '@dune-tide/domain/content/home-hero';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { styled, useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link as RouterLink, useLocation } from 'react-router-dom';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { Band, Columns } from '../../ui/Band.tsx';
import { lazyForm } from '../../form/lazy-form.tsx';
import { LoadBoundary } from '../../ui/LoadBoundary.tsx';
import { scriptedOnly } from '../../styles/layout-constants.ts';
import { SectionHead } from '../../ui/SectionHead.tsx';
import { CaseStudyCard, CaseStudyRow, FeaturedCaseStudy } from './case-studies.tsx';

const PortfolioModal = lazyForm(() => import('../../features/portfolio-request/PortfolioModal.tsx'));

const List = styled('ul')({
  display: 'grid',
  columnGap: 'clamp(1rem, 2.2vw, 2rem)',
});

/** The call to action after the case studies. */
const Invitation = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: '1.5rem',
  marginTop: 'clamp(2.5rem, 5vw, 4rem)',
  paddingTop: 'clamp(1.5rem, 3vw, 2.5rem)',
  borderTop: '1px solid var(--dt-palette-divider)',
});

/** The history keys of pages on which the list was expanded, so that Back restores the page's height. */
const expandedAt = new Set<string>();

/** The case studies (docs/PRODUCT.md, "Home page"): two featured, three highlights, and six behind Show More. */
export function Portfolio() {
  const { key } = useLocation();
  const [isExpanded, setIsExpanded] = useState(() => expandedAt.has(key));
  const [isModalOpen, setIsModalOpen] = useState(false);
  const [isModalUsed, setIsModalUsed] = useState(false);
  const moreId = useId();
  const more = useRef<HTMLUListElement>(null);
  const toggle = () => {
    if (isExpanded) expandedAt.delete(key);
    else expandedAt.add(key);
    flushSync(() => setIsExpanded(!isExpanded));
    // The new entries are above the button, so keyboard and screen reader users would miss them.
    if (!isExpanded) more.current?.focus({ preventScroll: true });
  };
  const openModal = () => {
    setIsModalUsed(true);
    setIsModalOpen(true);
  };

  return (
    <Band tone="paper" id="portfolio" labelledBy="portfolio-heading">
      <Columns>
        <SectionHead
          id="portfolio-heading"
          heading={home.portfolio.heading}
          introduction={home.portfolio.introduction}
        />
        <Box sx={{ marginTop: 'clamp(2.5rem, 5vw, 4.5rem)', display: 'grid', rowGap: 'clamp(3.5rem, 7vw, 7rem)' }}>
          {featuredCaseStudies.map((study, index) => (
            <FeaturedCaseStudy key={study.slug} study={study} isMirrored={index % 2 === 1} />
          ))}
        </Box>
        <List
          sx={{
            marginTop: 'clamp(3.5rem, 7vw, 7rem)',
            rowGap: { xs: 5, sm: 2.5 },
            gridTemplateColumns: { sm: 'repeat(2, minmax(0, 1fr))', md: 'repeat(3, minmax(0, 1fr))' },
          }}
        >
          {highlightCaseStudies.map((study) => (
            <CaseStudyCard key={study.slug} study={study} />
          ))}
        </List>
        <List
          ref={more}
          id={moreId}
          tabIndex={-1}
          aria-label={home.portfolio.more}
          sx={{
            marginTop: 'clamp(3rem, 5vw, 5rem)',
            gridTemplateColumns: { lg: 'repeat(2, minmax(0, 1fr))' },
            columnGap: 'clamp(2rem, 5vw, 5rem)',
            // Stays visible for visitors without scripts and for search engines.
            ...(!isExpanded && { '@media (scripting: enabled)': { display: 'none' } }),
          }}
        >
          {moreCaseStudies.map((study) => (
            <CaseStudyRow key={study.slug} study={study} hasPicture={isExpanded} />
          ))}
        </List>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: 1.5,
            marginTop: 'clamp(2.5rem, 5vw, 4rem)',
            ...scriptedOnly,
          }}
        >
          <Button variant="contained" aria-expanded={isExpanded} aria-controls={moreId} onClick={toggle}>
            {isExpanded ? home.portfolio.showLess : home.portfolio.showMore}
          </Button>
          <Button variant="outlined" aria-haspopup="dialog" onClick={openModal}>
            {home.portfolio.viewAll}
          </Button>
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, marginLeft: { md: 1.5 } }}>
            <Cover />
            <Typography variant="body2" sx={{ color: 'text.secondary' }}>
              {home.portfolio.viewAllHint}
              <br />
              {home.portfolio.viewAllSize}
            </Typography>
          </Box>
        </Box>
        <LoadBoundary isOfButton>
          {isModalUsed && <PortfolioModal open={isModalOpen} onClose={() => setIsModalOpen(false)} />}
        </LoadBoundary>
        <Invitation>
          <Typography variant="h3" component="p">
            {home.portfolio.invitation}
          </Typography>
          <Button component={RouterLink} to="/project-inquiry" variant="contained">
            {homeHero.startProject}
          </Button>
        </Invitation>
      </Columns>
    </Band>
  );
}

const Thumbnail = styled('div')({
  flex: '0 0 7rem',
  borderRadius: 4,
  overflow: 'hidden',
  boxShadow: '0 6px 18px -8px rgba(8, 15, 21, 0.5)',
});

/** The cover of the portfolio PDF, with the studio's name in the place that it has there. */
function Cover() {
  const { typography } = useTheme();
  return (
    <Thumbnail>
      <ArtPicture art={coverThumbnail} decorative>
        <text
          x={70}
          y={273}
          fontSize={313}
          letterSpacing={-6}
          style={{
            fill: 'var(--dt-palette-text-primary)',
            fontFamily: typography.h1.fontFamily,
            fontWeight: typography.h1.fontWeight,
          }}
        >
          {brand.name}
        </text>
      </ArtPicture>
    </Thumbnail>
  );
}
