/** A published release. */
export interface Release {
  readonly version: string;
  /** The commit that was released, as CHANGELOG.md names it. */
  readonly commit: string;
  readonly lastMigration: string;
}

/** All releases, oldest first. */
export const releases = [
  { version: '0.1.0', commit: '358bbd7c', lastMigration: '20261123-12-retried-at' },
  { version: '0.2.0', commit: 'c652f930', lastMigration: '20261125-14-email-bounds' },
  { version: '0.3.0', commit: '12be1d2b', lastMigration: '20261126-29-bulk-requests' },
] as const satisfies readonly Release[];

/** The release before the one that this source becomes. It must run on the schema of this source. */
export const previousRelease: Release = releases[2];

/** The release to which older data must be upgraded first, because its schema is the baseline of the migrations. */
export const requiredStop: Release = releases[2];
