/** The texts of the home page's hero, which also describe the site. */
export const homeHero = {
  headline: 'Impactful digital solutions. Launched in weeks, kept for years.',
  introduction:
    'We make campaigns, software and sales systems for companies, investors and cities. From Riyadh and Cape Town.',
  startProject: 'Start Your Project',
  viewWork: 'View Our Work',
  scrollToServices: 'Go to our services',
} as const;
