import type { Art } from '@dune-tide/domain/art/art';
import type { Ink } from '@dune-tide/domain/brand';
import type { CaseStudySlug } from '@dune-tide/domain/content/case-study-heads';
import type { ServicePageContent } from '@dune-tide/domain/content/service-pages';
import type { ServicePageQuestions } from '@dune-tide/domain/forms/service-pages';
import type { ArtFit } from '../../ui/ArtPicture.tsx';

/** The parts of a service page's left column. */
export type ServicePagePart = 'head' | 'art' | 'claims' | 'steps' | 'included';

/** The differences between the service pages. */
export interface ServicePageDefinition {
  readonly content: ServicePageContent;
  readonly questions: ServicePageQuestions;
  /** The drawing's two compositions: `above` the form in narrow windows, and `beside` it in wide ones. */
  readonly art: { readonly above: Art; readonly beside: Art };
  readonly fit: ArtFit;
  /** The ink of the left column, which is also the drawing's background. */
  readonly ground: Ink;
  /** The text colour: light on a dark ink, or the text colour of the visitor's colour scheme. */
  readonly writing: 'light' | 'scheme';
  /** The order of the parts. */
  readonly parts: readonly ServicePagePart[];
  /** A case study of the service. */
  readonly example: CaseStudySlug;
  /** Three figures side by side, one per line, or a single one over the full width. */
  readonly claims: 'row' | 'lines' | 'single';
  /** Two or three entries side by side, or one per line. */
  readonly included: 'pairs' | 'thirds' | 'lines';
}
