import {
  privacyFacts,
  privacySections,
  type PrivacyFact,
  type PrivacySection,
} from '@dune-tide/domain/content/privacy';
import { privacyIntroduction, privacyTitle } from '@dune-tide/domain/content/privacy-link';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { BackToHome } from '../../layouts/site/BackToHome.tsx';
import { Band, Columns } from '../../ui/Band.tsx';

const headingId = 'privacy-heading';

const Section = styled('section')({
  '& + &': { marginTop: 'clamp(2.5rem, 5vw, 3.5rem)' },
  '& p, & ul': { maxWidth: '66ch', marginBlock: '0.75rem 0' },
  '& p:empty': { display: 'none' },
  '& ul': { paddingLeft: '1.25rem', listStyle: 'revert' },
  '& li + li': { marginTop: '0.375rem' },
  '& p, & li': { lineHeight: 1.65, overflowWrap: 'anywhere' },
});

/** The notice of how the studio handles personal data (docs/PRODUCT.md, "Privacy notice"). */
export function PrivacyPage() {
  return (
    <>
      <Box component="header" sx={{ bgcolor: 'background.sandBand' }}>
        <Columns sx={{ paddingBlock: 'clamp(5.5rem, 8vw, 7rem) clamp(2.5rem, 5vw, 4rem)' }}>
          <Box sx={{ gridColumn: { md: '1 / span 8' } }}>
            <BackToHome />
            <Typography id={headingId} variant="h1" sx={{ marginTop: 'clamp(1rem, 3vw, 2.5rem)' }}>
              {privacyTitle}
            </Typography>
            <Typography variant="subtitle1" sx={{ marginTop: 'clamp(1rem, 2vw, 1.5rem)', maxWidth: '34em' }}>
              {privacyIntroduction}
            </Typography>
          </Box>
        </Columns>
      </Box>
      <Band tone="paper" labelledBy={headingId}>
        <Columns>
          <Box sx={{ gridColumn: { md: '1 / span 8' } }}>
            {privacySections.map((section: PrivacySection) => (
              <Section key={section.id} aria-labelledby={section.id}>
                <Typography id={section.id} variant="h3" component="h2">
                  {section.title}
                </Typography>
                {section.facts?.map((name) => (
                  <Fact key={name} name={name} />
                ))}
                {section.texts?.map((text) => (
                  <p key={text}>{text}</p>
                ))}
                {section.list && (
                  <ul>
                    {section.list.map((text) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                )}
                {section.end?.map((text) => (
                  <p key={text}>{text}</p>
                ))}
              </Section>
            ))}
          </Box>
        </Columns>
      </Band>
    </>
  );
}

/** The texts that the server has put into the page, kept for a return to it without a new request. */
const served = new Map<PrivacyFact, string>();

/** A fact that the server puts into the prerendered page, because the build does not know the settings. */
function Fact({ name }: { readonly name: PrivacyFact }) {
  const [text] = useState(() => {
    const place = typeof document === 'undefined' ? null : document.querySelector(`p[data-fact="${name}"]`);
    const known = place?.textContent ?? served.get(name) ?? privacyFacts[name];
    served.set(name, known);
    return known;
  });
  return (
    <p data-fact={name} suppressHydrationWarning>
      {text}
    </p>
  );
}
