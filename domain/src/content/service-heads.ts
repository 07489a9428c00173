import type { Service } from './service.ts';

/** The parts of a service that the footer of every page needs. */
export const serviceHeads: Readonly<Record<Service['slug'], Pick<Service, 'slug' | 'title' | 'href'>>> = {
  'ugc-creatives': { slug: 'ugc-creatives', title: 'UGC Creatives', href: '/services/ugc-creatives' },
  'mvp-development': { slug: 'mvp-development', title: 'Development Services', href: '/services/mvp-development' },
  'lead-generation': { slug: 'lead-generation', title: 'Lead Generation', href: '/services/lead-generation' },
  consulting: { slug: 'consulting', title: 'Consulting', href: '/services/consulting' },
};
