/** Static samples for the dashboard's Overview (docs/PRODUCT.md, "Dashboard"), not data of the studio. */

export interface SampleActivity {
  readonly what: string;
  readonly about: string;
  readonly when: string;
}

export const sampleActivity: readonly SampleActivity[] = [
  { what: 'New project inquiry', about: 'Booking app for a dive school on the Red Sea', when: '2 hours ago' },
  { what: 'Campaign delivered', about: 'Thirty creator films for an oud perfume launch', when: '5 hours ago' },
  { what: 'Application received', about: 'Full Stack Developer, Cape Town', when: 'Yesterday' },
  { what: 'Discovery session held', about: 'Permit workflow of a coastal municipality', when: 'Yesterday' },
  { what: 'Recipe updated', about: 'Handover checklist for internal dashboards', when: '3 days ago' },
];

export interface SampleTask {
  readonly what: string;
  readonly about: string;
  readonly due: string;
  readonly priority: 'High' | 'Medium' | 'Low';
}

export const sampleTasks: readonly SampleTask[] = [
  { what: 'Send the MVP proposal', about: 'Scope, price and an eight-week plan', due: 'Today', priority: 'High' },
  { what: 'Brief the creators', about: 'Shot list and usage rights for spring', due: 'Tomorrow', priority: 'High' },
  { what: 'Review targeting', about: 'Lead generation, second month', due: 'This week', priority: 'Medium' },
  { what: 'Interview two developers', about: 'Remote, with a short task', due: 'This week', priority: 'Medium' },
  { what: 'Renew the case studies', about: 'Figures of the last quarter', due: 'Next week', priority: 'Low' },
];
