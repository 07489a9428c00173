import { useEffect } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { useWantedSection } from '../../routing/home-sections.ts';
import { Audiences } from './Audiences.tsx';
import { Contact } from './Contact.tsx';
import { Engagement } from './Engagement.tsx';
import { Expertise } from './Expertise.tsx';
import { Hero } from './Hero.tsx';
import { Portfolio } from './Portfolio.tsx';

/** The home page; its sections stand in the order of docs/PRODUCT.md, "Home page". */
export function HomePage() {
  const { hash } = useLocation();
  const navigationType = useNavigationType();
  useWantedSection();

  // On the page that came first, and on going back, the browser has been there already.
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
