export { countingPoints, openRateLimitDatabase, sumsByKey, type ExhaustedQuota, type Quota } from './points.ts';
