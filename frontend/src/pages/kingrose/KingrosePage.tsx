import { About } from './About.tsx';
import { Contact } from './Contact.tsx';
import { Engagement } from './Engagement.tsx';
import { Hero } from './Hero.tsx';
import { Niches } from './Niches.tsx';
import { Services } from './Services.tsx';
import { WhyPartner } from './WhyPartner.tsx';

/** The KingRose page. The order of its sections is that of docs/PRODUCT.md, "KingRose page". */
export function KingrosePage() {
  return (
    <>
      <Hero />
      <About />
      <Niches />
      <Services />
      <Engagement />
      <WhyPartner />
      <Contact />
    </>
  );
}
