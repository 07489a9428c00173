import type { JobPosting } from '@dune-tide/domain/content/careers';
import { startTransition, useState } from 'react';
import type { PositionChoice } from '../../features/career-application/CareerApplicationForm.tsx';
import { scrollToSection } from '../../lib/scroll-to-section.ts';
import { Application, applicationId } from './Application.tsx';
import { Hero } from './Hero.tsx';
import { Positions } from './Positions.tsx';
import { Training } from './Training.tsx';

/** Careers and Training (specification §2). */
export function CareersPage() {
  const [choice, setChoice] = useState<PositionChoice | null>(null);

  const apply = ({ title }: JobPosting) => {
    // A transition waits for a form that React has not taken over yet; otherwise it would be thrown away and made anew.
    startTransition(() => setChoice({ position: title }));
    scrollToSection(applicationId);
  };

  return (
    <>
      <Hero />
      <Positions onApply={apply} />
      <Training />
      <Application choice={choice} />
    </>
  );
}
