import type { JsonSchema } from '@dune-tide/domain/responses/schema';

/** A response in the API's description. */
export interface ResponseDescription {
  readonly description: string;
  /** Left out if the response has no body. */
  readonly schema?: JsonSchema;
  /** Defaults to application/json. */
  readonly mediaType?: string;
  readonly headers?: ResponseHeaders;
}

/** The headers of a response by name. */
export type ResponseHeaders = Readonly<Record<string, HeaderDescription>>;

export interface HeaderDescription {
  readonly description: string;
  readonly isOptional?: boolean;
  readonly schema: JsonSchema;
}
