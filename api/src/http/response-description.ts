import type { JsonSchema } from '@dune-tide/domain/responses/schema';

/** A response as the API's description has it. */
export interface ResponseDescription {
  readonly description: string;
  /** Left out if the response has no body. */
  readonly schema?: JsonSchema;
  /** JSON, unless it says otherwise. */
  readonly mediaType?: string;
  readonly headers?: ResponseHeaders;
}

/** The headers of a response by their name. */
export type ResponseHeaders = Readonly<Record<string, HeaderDescription>>;

export interface HeaderDescription {
  readonly description: string;
  readonly isOptional?: boolean;
  readonly schema: JsonSchema;
}
