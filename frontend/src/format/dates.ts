import { DateTime } from 'luxon';

const format = (iso: string, pattern: string): string => DateTime.fromISO(iso, { locale: 'en-US' }).toFormat(pattern);

/** A date as tables show it (specification §9), in the reader's time zone. */
export const formatDate = (iso: string): string => format(iso, 'MMM dd, yyyy');

/** A date with its time as details show it (specification §9), in the reader's time zone. */
export const formatDateTime = (iso: string): string => format(iso, 'MMM dd, yyyy HH:mm');
