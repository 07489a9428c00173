import { useEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { useWantedSection } from '../../routing/home-sections.ts';
import { Audiences } from './Audiences.tsx';
import { Contact } from './Contact.tsx';
import { Engagement } from './Engagement.tsx';
import { Expertise } from './Expertise.tsx';
import { Hero } from './Hero.tsx';
import { Portfolio } from './Portfolio.tsx';

/** The home page. The order of its sections is that of docs/PRODUCT.md, "Home page". */
export function HomePage() {
  const { hash } = useLocation();
  const navigationType = useNavigationType();
  useWantedSection();

  // On the first page and on Back, the browser has already scrolled to the anchor.
  useEffect(() => {
    if (navigationType !== NavigationType.Pop && hash.length > 1)
      document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [navigationType, hash]);

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
