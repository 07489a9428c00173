import { privacyFacts, retentionText, type PrivacyFact } from '@dune-tide/domain/content/privacy';
import { html } from '@dune-tide/platform/html';
import type { PageEdit } from './site.ts';

/** The facts about the studio and its retention. */
export interface PrivacySettings {
  readonly legalEntity?: string | undefined;
  readonly officer?: string | undefined;
  readonly address?: string | undefined;
  /** 0, the default, keeps leads. */
  readonly retentionMonths?: number;
  readonly retentionMonthsApplications?: number;
}

const pageName = 'privacy.html';

/**
 * Returns the function that puts the settings, which the build does not know, into the prerendered privacy notice
 * (docs/PRODUCT.md, "Privacy notice").
 */
export function privacyNotice(settings: PrivacySettings): PageEdit {
  const { legalEntity, officer, address, retentionMonths = 0, retentionMonthsApplications = 0 } = settings;
  const facts: Readonly<Record<PrivacyFact, string>> = {
    'legal-entity': legalEntity === undefined ? '' : `Responsible for your data: ${legalEntity}.`,
    'privacy-officer': officer === undefined ? '' : `Our information officer and data protection officer: ${officer}.`,
    'postal-address': address === undefined ? '' : `Postal address: ${address}.`,
    retention: retentionText(retentionMonths, retentionMonthsApplications),
  };
  return (name, content) => {
    if (name !== pageName) return undefined;
    return Object.keys(privacyFacts).reduce((page, fact) => {
      const place = new RegExp(`(<p\\b[^>]*\\bdata-fact="${fact}"[^>]*>)[^<]*(</p>)`);
      if (!place.test(page)) throw new Error(`The privacy notice has no place for ${fact}`);
      return page.replace(place, (_, start: string, end: string) => {
        return start + html`${facts[fact as PrivacyFact]}`.source + end;
      });
    }, content);
  };
}

/** Returns the names of the settings that the privacy notice needs and that are not set. */
export function missingPrivacySettings(settings: Readonly<Record<string, unknown>>): string[] {
  return ['PRIVACY_LEGAL_ENTITY', 'PRIVACY_OFFICER', 'PRIVACY_ADDRESS'].filter((name) => settings[name] === undefined);
}
