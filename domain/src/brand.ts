/** The studio's name, addresses and links. Other code must not hard-code them. */
export const brand = {
  name: 'Dune & Tide',
  tagline: 'A digital studio in Riyadh and Cape Town',
  cities: ['Riyadh', 'Cape Town'],
  email: 'hello@duneandtide.studio',
  /** The address of staff for `make run`. Elsewhere, STAFF_EMAIL sets it. */
  staffEmail: 'studio@duneandtide.studio',
  /**
   * The default origin of canonical links and link previews; SITE_URL replaces it at build time. Emails use PUBLIC_URL.
   */
  siteUrl: 'https://duneandtide.studio',
  /** The domain of every Message-ID. */
  mailDomain: 'duneandtide.studio',
  links: {
    x: 'https://x.com/duneandtide',
    instagram: 'https://www.instagram.com/duneandtide',
  },
  /** A fixed text, not the current year. */
  copyrightYear: 2025,
  /** Promised for project inquiries, service forms and discovery (docs/PRODUCT.md, "Response promise"). */
  responsePromiseHours: 24,
  /** The time zone of times in emails. */
  timeZone: 'Asia/Riyadh',
} as const;

/** The axis values of the headline font for the site, its previews and the PDF. */
export const displayCut = { wdth: 84, wght: 640 } as const;

/** The colours of drawings, emails, the PDF and the site's theme. */
export const palette = {
  paper: '#FBF6EC',
  sand: '#F3E9D8',
  sandDeep: '#E3D2B4',
  dune: '#C9A877',
  night: '#13202B',
  nightSoft: '#22343F',
  slate: '#52606A',
  terracotta: '#B8431F',
  terracottaSoft: '#E28A63',
  teal: '#0E6A6B',
  tealSoft: '#7DB8B2',
  white: '#FFFFFF',
} as const;

export type Ink = keyof typeof palette;
