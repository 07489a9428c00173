import type { Art } from '@dune-tide/domain/art/art';
import type { Ink } from '@dune-tide/domain/brand';
import type { ServicePageContent } from '@dune-tide/domain/content/service-pages';
import type { ServicePageQuestions } from '@dune-tide/domain/forms/service-pages';
import type { ArtFit } from '../../ui/ArtPicture.tsx';

/** The parts of a service page's left column. */
export type ServicePagePart = 'head' | 'art' | 'claims' | 'steps' | 'included';

/** All that sets one service page apart from the others. */
export interface ServicePageDefinition {
  readonly content: ServicePageContent;
  readonly questions: ServicePageQuestions;
  /** Stands to the edges of its column, and takes the height that the form beside it leaves. */
  readonly art: Art;
  readonly fit: ArtFit;
  /** The ink that the left column is filled with; it is also the ground of the drawing. */
  readonly ground: Ink;
  /** What is written on that ground: light on a dark ink, or as the visitor's scheme has it. */
  readonly writing: 'light' | 'scheme';
  /** The order of the parts, which gives the page its rhythm. */
  readonly parts: readonly ServicePagePart[];
  /** Three figures side by side, one to a line, or a single one over the whole width. */
  readonly claims: 'row' | 'lines' | 'single';
  /** Two or three entries side by side, or one to a line. */
  readonly included: 'pairs' | 'thirds' | 'lines';
}
