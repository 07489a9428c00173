import type { JobPosting } from '@dune-tide/domain/content/careers';
import { useState } from 'react';
import { positionChoice } from '../../features/career-application/position-choice.ts';
import { scrollToSection } from '../../routing/scroll.ts';
import { Application, applicationId } from './Application.tsx';
import { Hero } from './Hero.tsx';
import { Positions } from './Positions.tsx';
import { Training } from './Training.tsx';

/** The Careers and Training page (docs/PRODUCT.md, "Careers page"). */
export function CareersPage() {
  const [choice] = useState(positionChoice);

  const apply = ({ title }: JobPosting) => {
    choice.choose(title);
    scrollToSection(applicationId);
  };

  const applyForProgram = () => {
    choice.choose('other');
    scrollToSection(applicationId);
  };

  return (
    <>
      <Hero />
      <Positions onApply={apply} />
      <Training onApply={applyForProgram} />
      <Application choice={choice} />
    </>
  );
}
