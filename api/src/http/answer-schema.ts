import type { JsonSchema } from '@dune-tide/domain/responses/schema';

/** An answer as the API's description has it. */
export interface AnswerDescription {
  readonly description: string;
  /** Without it there is no body. */
  readonly schema?: JsonSchema;
  /** JSON, unless it says otherwise. */
  readonly mediaType?: string;
  readonly headers?: AnswerHeaders;
}

/** The headers of an answer by their name. */
export type AnswerHeaders = Readonly<Record<string, HeaderDescription>>;

export interface HeaderDescription {
  readonly description: string;
  readonly isOptional?: boolean;
  readonly schema: JsonSchema;
}
