import type { CaseStudyStory } from '@dune-tide/domain/content/case-study';
import type { CaseStudySlug } from '@dune-tide/domain/content/case-study-heads';
import type { ComponentType } from 'react';
import { caseStudyPageOf } from './CaseStudyPage.tsx';

/** Loads the texts and pictures of one case study. */
const caseStudyStories: Readonly<Record<CaseStudySlug, () => Promise<{ readonly story: CaseStudyStory }>>> = {
  'tamra-market': () => import('@dune-tide/domain/content/case-study-stories/tamra-market'),
  'witklip-roasters': () => import('@dune-tide/domain/content/case-study-stories/witklip-roasters'),
  'wadi-sidr': () => import('@dune-tide/domain/content/case-study-stories/wadi-sidr'),
  'marsa-freight': () => import('@dune-tide/domain/content/case-study-stories/marsa-freight'),
  'lulwa-skincare': () => import('@dune-tide/domain/content/case-study-stories/lulwa-skincare'),
  'nara-solar': () => import('@dune-tide/domain/content/case-study-stories/nara-solar'),
  'sabkha-capital': () => import('@dune-tide/domain/content/case-study-stories/sabkha-capital'),
  'jabal-trail': () => import('@dune-tide/domain/content/case-study-stories/jabal-trail'),
  'quayside-works': () => import('@dune-tide/domain/content/case-study-stories/quayside-works'),
  'rutab-growers': () => import('@dune-tide/domain/content/case-study-stories/rutab-growers'),
  'umoya-surf': () => import('@dune-tide/domain/content/case-study-stories/umoya-surf'),
};

/** Loads the page of a case study. The list of the stories is here, so that other pages do not load it. */
export async function loadCaseStudyPage(slug: CaseStudySlug): Promise<ComponentType> {
  const { story } = await caseStudyStories[slug]();
  return caseStudyPageOf(story);
}
