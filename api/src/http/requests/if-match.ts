import { string } from '@dune-tide/domain/responses/schema';
import type { Context } from '../context.ts';
import type { ResponseHeaders } from '../response-description.ts';

/** The header with which a change is rejected if another one was stored in the meantime (RFC 9110 §13.1.1). */
export const ifMatch = {
  'If-Match': {
    description: 'The expected version. Without it, the change applies to the current version.',
    schema: string,
  },
} as const;

/** The header of a response with a version. */
export const versionHeader: ResponseHeaders = {
  ETag: { description: 'The version, for If-Match.', schema: string },
};

/** Returns the versions in If-Match; undefined if the request accepts every version. */
export function expectedVersions(ctx: Context): readonly number[] | undefined {
  const wanted = ctx.get('If-Match').trim();
  if (wanted === '' || wanted === '*') return undefined;
  return wanted.split(',').flatMap((tag) => {
    const [, version] = /^\s*"([1-9]\d{0,9})"\s*$/.exec(tag) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
}
