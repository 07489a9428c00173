import { api } from '../../api-client/base-api.ts';
import { listen } from './shared-stream.ts';
import type { Announcement } from './stream.ts';

/** The latest announcement. */
export interface Announced extends Announcement {
  /** The totals of the first announcement since the page was opened. */
  readonly firstTotals: Announcement['totals'];
  /** In milliseconds since the epoch. */
  readonly receivedAt: number;
}

const announcementsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Null until the first announcement. The stream is open while a component uses the query. */
    announcement: build.query<Announced | null, void>({
      queryFn: () => ({ data: null }),
      keepUnusedDataFor: 0,
      async onCacheEntryAdded(_, entry) {
        try {
          await entry.cacheDataLoaded;
        } catch {
          // The component was unmounted before.
          return;
        }
        const stop = listen((announcement) =>
          entry.updateCachedData((before) => ({
            ...announcement,
            firstTotals: before?.firstTotals ?? announcement.totals,
            receivedAt: Date.now(),
          })),
        );
        await entry.cacheEntryRemoved;
        stop();
      },
    }),
  }),
});

export const { useAnnouncementQuery } = announcementsApi;
