import type { MouseEvent, ReactNode } from 'react';
import Link from '@mui/material/Link';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { opensElsewhere } from '../../routing/link-modifiers.ts';
import { type HomeSection, useGoToSection } from '../../routing/home-sections.ts';

interface SectionLinkProps {
  readonly section: HomeSection;
  readonly onFollow?: () => void;
  readonly className?: string;
  /** The link's address, if it does not name the section. */
  readonly href?: string;
  readonly children: ReactNode;
}

/** A link to a section of the home page. Its URL lets visitors open it in a new tab. */
export function SectionLink({ section, onFollow, className, href, children }: SectionLinkProps) {
  const goToSection = useGoToSection();
  const isHome = useLocation().pathname === '/';
  const follow = (event: MouseEvent) => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    // Synchronous, because a section that the open menu still covers cannot take the focus.
    if (onFollow) flushSync(onFollow);
    goToSection(section);
  };
  return (
    <Link
      href={href ?? (isHome ? `#${section}` : `/#${section}`)}
      onClick={follow}
      className={className}
      underline="hover"
    >
      {children}
    </Link>
  );
}
