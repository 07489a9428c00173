import { useWantedSection } from '../../routing/home-sections.ts';
import { Audiences } from './Audiences.tsx';
import { Contact } from './Contact.tsx';
import { Engagement } from './Engagement.tsx';
import { Expertise } from './Expertise.tsx';
import { Hero } from './Hero.tsx';
import { Portfolio } from './Portfolio.tsx';

/** The home page. Its sections are in the order of docs/PRODUCT.md, "Home page". */
export function HomePage() {
  useWantedSection();
  return (
    <>
      <Hero />
      <Expertise />
      <Engagement />
      <Audiences />
      <Portfolio />
      <Contact />
    </>
  );
}
