/** Projects that sample visitors want. */
export const projects = [
  'a booking system for three clinics',
  'a campaign for a new line of oud perfumes',
  'an app to order coffee ahead',
  'a dashboard for our fleet of forty trucks',
  'a tool that reads supplier invoices',
  'short films by real customers',
  'a pipeline of qualified leads in the Gulf',
  'a portal where residents report potholes',
  'a shop that ships to both countries',
  'an assistant that drafts due diligence memos',
  'a way to sell surf lessons online',
  'a loyalty programme for our cafés ☕',
] as const;

export const reasons = [
  'Our present system was built in 2014 and no one dares to touch it.',
  'Two competitors launched something like it this spring.',
  'We tried with freelancers and lost half a year.',
  'The board has approved a budget for this quarter.',
  'Most of our customers write to us by WhatsApp, and half of the messages get lost.',
  'نحتاج إلى واجهة عربية كاملة من اليمين إلى اليسار.',
  'Everything has to work on old phones and slow connections.',
  'We measure nothing at the moment & would like to change that <soon>.',
  'Our team is small: two developers, one designer, a lot of goodwill.',
  'It must be live before Ramadan 🌙.',
] as const;

export const wishes = [
  'A third of the orders should come through it within a year.',
  'Twenty good calls a month would be a success.',
  'We would like to see something clickable within four weeks.',
  'Please include training for our own people.',
  'Reports should be on the desk every Monday morning.',
  'It should pay for itself within eighteen months.',
  'Could we talk on the phone first?',
  'We are open to suggestions.',
] as const;

/** Notes that sample members of staff leave for each other. */
export const notes = [
  'Called back, very friendly. Wants a proposal by Thursday.',
  'Budget is smaller than the form says, ask again after the summer.',
  'Knows us from the campaign for the oud perfumes.',
  'Left a message with the front desk.',
  'Sent two case studies and a price list.',
  'Prefers WhatsApp and Arabic.',
  'Please do not call before ten, they are in Cape Town.',
  'The decision is with the board, next meeting on the 12th.',
] as const;

export const strengths = [
  'For eight years I have built things that people like to use.',
  'I led a team of five through a rewrite without a day of downtime.',
  'My videos were watched by four million people last year.',
  'I studied in Cape Town and worked in Riyadh, so I know both of your markets.',
  'I learn quickly, write clearly and finish what I begin.',
  'My last campaign brought 340 qualified leads at half of the planned cost.',
  'I would be glad to show you how I work in a day of trial.',
] as const;
