/** Who the studio is. Nothing else hard-codes a name, an address or a link (decisions, "Names and content"). */
export const brand = {
  name: 'Dune & Tide',
  tagline: 'A digital studio in Riyadh and Cape Town',
  cities: ['Riyadh', 'Cape Town'],
  email: 'hello@duneandtide.studio',
  /** Where notices go on one machine; elsewhere STAFF_EMAIL says. */
  staffEmail: 'studio@duneandtide.studio',
  /** The address that pages name in canonical links and previews, unless the build gets SITE_URL. Mails use PUBLIC_URL. */
  siteUrl: 'https://duneandtide.studio',
  /** The right side of every Message-ID. */
  mailDomain: 'duneandtide.studio',
  links: {
    x: 'https://x.com/duneandtide',
    instagram: 'https://www.instagram.com/duneandtide',
  },
  /** Specification §9: fixed text, not the current year. */
  copyrightYear: 2025,
  /**
   * Specification §9: the promise made for project inquiries, service forms and discovery. The acknowledgement of any
   * lead repeats it (decisions, "Follow-ups").
   */
  responsePromiseHours: 24,
} as const;

/** The axis values of the headline font, on the site, its previews and the PDF. */
export const displayCut = { wdth: 84, wght: 640 } as const;

/** The inks of every drawing, mail and page; the site's theme, the PDF and the mails all take them from here. */
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
