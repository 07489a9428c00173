/** The texts of the home page's hero. Every page loads them, because they describe the site. */
export const homeHero = {
  headline: 'Impactful digital solutions that outlast the tide',
  introduction:
    'We make brand creatives, software and lead generation systems for companies, investors and municipalities, from Riyadh and Cape Town.',
  startProject: 'Start Your Project',
  viewWork: 'View Our Work',
  scrollToServices: 'Go to our services',
} as const;
