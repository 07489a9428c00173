import type { formGuides } from './form-guides.ts';

/** Facts about the studio that only its owner knows. The site does not show those that are empty. */
export interface StudioFacts {
  /** The visiting addresses, e.g. "12 Palm Street, Riyadh". */
  readonly addresses: readonly string[];
  /** In the international form with spaces, e.g. "+966 11 123 4567". */
  readonly phone: string;
  /** A phone number like `phone`, which WhatsApp knows. */
  readonly whatsapp: string;
  /** The prices of /kingrose in riyals, e.g. "SAR 37,500 to 75,000". */
  readonly kingroseRiyals: string;
  /** The people who answer the forms, e.g. "Layla Haddad, who leads our lead generation". */
  readonly readers: Readonly<Partial<Record<keyof typeof formGuides, string>>>;
}

export const studioFacts: StudioFacts = { addresses: [], phone: '', whatsapp: '', kingroseRiyals: '', readers: {} };
