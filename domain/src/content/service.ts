/** A service card of the home page. */
export interface Service {
  readonly slug: 'ugc-creatives' | 'mvp-development' | 'lead-generation' | 'consulting';
  readonly title: string;
  readonly description: string;
  readonly features: readonly [string, string, string];
  readonly href: string;
}
