import { brand } from '@dune-tide/domain/brand';

const dateFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: '2-digit',
  year: 'numeric',
  timeZone: brand.timeZone,
});
const timeOptions = {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: brand.timeZone,
  timeZoneName: 'short',
} as const;
const timeFormat = new Intl.DateTimeFormat('en-US', timeOptions);
const secondsFormat = new Intl.DateTimeFormat('en-US', { ...timeOptions, second: '2-digit' });

/** Formats a time as the staff area does (frontend/src/format/dates.ts), with the zone. */
export function receivedAt(time: Date): { readonly time: string; readonly timeWithSeconds: string } {
  const date = dateFormat.format(time);
  return { time: `${date} ${timeFormat.format(time)}`, timeWithSeconds: `${date} ${secondsFormat.format(time)}` };
}

/**
 * Returns the address of a lead's page.
 * @throws {TypeError} if `publicUrl` is not a URL
 */
export function leadUrl(publicUrl: string, leadId: string): string {
  return new URL(`/admin/leads/${encodeURIComponent(leadId)}`, publicUrl).href;
}

/** Explains why staff get an email. */
export const staffReason = `You are receiving this email because this is the staff address of ${brand.name}.`;
