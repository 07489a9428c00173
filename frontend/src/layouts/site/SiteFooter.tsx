import { brand } from '@dune-tide/domain/brand';
import { privacyPath, privacyTitle } from '@dune-tide/domain/content/privacy-link';
import { serviceHeads } from '@dune-tide/domain/content/service-heads';
import { studioFacts } from '@dune-tide/domain/content/studio-facts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { keyframes, styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { Columns, pageWidth } from '../../ui/Band.tsx';
import { motionAllowed, scrollDriven } from '../../styles/motion.ts';
import { SectionLink } from './SectionLink.tsx';
import { StudioContacts } from './StudioContacts.tsx';

const LinkList = styled('ul')({
  '& a': { display: 'inline-block', paddingBlock: 5, minWidth: 24 },
});

/** A grid with as many columns as fit their longest words. */
const Groups = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: '2.5rem 1rem',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr))',
  [theme.breakpoints.up('md')]: { gridColumn: 'span 7', gridTemplateColumns: 'subgrid', columnGap: 'normal' },
}));

const rises = keyframes({ from: { transform: 'translateY(42%)' } });

/** The name at the end of the page rises while it scrolls into view. */
const rising = {
  [motionAllowed]: {
    [scrollDriven]: {
      animation: `${rises} linear both`,
      animationTimeline: 'view()',
      animationRange: 'entry 0% entry 92%',
    },
  },
};

/** Removes spacing that would start another page. */
const onPaper = { '@media print': { paddingTop: '1rem', rowGap: 0, breakBefore: 'avoid' } };

/** The footer of the public pages (docs/PRODUCT.md, "Footer"). */
export function SiteFooter() {
  return (
    <Box component="footer" sx={{ bgcolor: 'background.sandBand', color: 'text.primary', overflow: 'clip' }}>
      <Columns sx={{ paddingTop: 'clamp(3rem, 6vw, 5rem)', rowGap: 5, ...onPaper }}>
        <Box sx={{ gridColumn: { md: 'span 5' } }}>
          <Typography variant="h3" component="p" sx={{ maxWidth: '14ch' }}>
            {brand.tagline}
          </Typography>
          <StudioContacts {...studioFacts} />
        </Box>
        <Groups>
          <LinkGroup title="Services" span={3}>
            {Object.values(serviceHeads).map((service) => (
              <li key={service.slug}>
                <Link component={RouterLink} to={service.href} underline="hover">
                  {service.title}
                </Link>
              </li>
            ))}
          </LinkGroup>
          <LinkGroup title="Company" span={2}>
            <li>
              <SectionLink section="about" href="#">
                About Us
              </SectionLink>
            </li>
            <li>
              <SectionLink section="portfolio">Portfolio</SectionLink>
            </li>
            <li>
              <Link component={RouterLink} to="/careers" underline="hover">
                Careers
              </Link>
            </li>
            <li>
              <SectionLink section="contact">Contact</SectionLink>
            </li>
            <li>
              {/* Not a link of the router: the server puts the settings into the page. */}
              <Link href={privacyPath} underline="hover">
                {privacyTitle}
              </Link>
            </li>
          </LinkGroup>
          <LinkGroup title="Follow" span={2}>
            <li>
              <Link href={brand.links.x} rel="noopener" underline="hover">
                X
              </Link>
            </li>
            <li>
              <Link href={brand.links.instagram} rel="noopener" underline="hover">
                Instagram
              </Link>
            </li>
          </LinkGroup>
        </Groups>
      </Columns>
      <Box sx={{ ...pageWidth, paddingTop: 'clamp(2.5rem, 6vw, 5rem)', ...onPaper }}>
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
          © {brand.copyrightYear} {brand.name}. All rights reserved.
        </Typography>
      </Box>
      <Box
        aria-hidden="true"
        sx={{
          ...pageWidth,
          typography: 'h1',
          displayPrint: 'none',
          // Spans the content from edge to edge, without the left bearing of its first letter.
          fontSize: `min((100vw - 2 * ${pageWidth.paddingInline}) * 0.2522, 19.67rem)`,
          textIndent: '-0.032em',
          letterSpacing: '-0.018em',
          // The font's design for small sizes is wider.
          fontVariationSettings: '"opsz" 96',
          lineHeight: 0.8,
          whiteSpace: 'nowrap',
          color: 'primary.main',
          paddingTop: 'clamp(1rem, 3vw, 2rem)',
          marginBottom: '-0.1em',
          userSelect: 'none',
          ...rising,
        }}
      >
        {brand.name}
      </Box>
    </Box>
  );
}

function LinkGroup({
  title,
  span,
  children,
}: {
  readonly title: string;
  readonly span: number;
  readonly children: ReactNode;
}) {
  return (
    <Box component="nav" aria-label={title} sx={{ gridColumn: { md: `span ${span}` } }}>
      <Typography variant="overline" component="h2" sx={{ color: 'text.secondary', marginBottom: 1 }}>
        {title}
      </Typography>
      <LinkList>{children}</LinkList>
    </Box>
  );
}
