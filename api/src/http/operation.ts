import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import type { JsonSchema } from '@dune-tide/domain/responses/schema';
import type { ResponseDescription } from './response-description.ts';
import type { ProblemStatus } from './errors/problem-answers.ts';

/** A call as its feature describes it. The OpenAPI document adds what all calls of the same kind share. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Path parameters are in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Path parameters are added automatically. */
  readonly parameters?: readonly Parameter[];
  /** The forms that the body may match, the same objects that validate it. */
  readonly body?: readonly FormSchema[];
  /** Successful responses by status. */
  readonly answers: Readonly<Record<number, ResponseDescription>>;
  /** Problems besides those that all calls of the same kind share. */
  readonly problems?: readonly ProblemStatus[];
}

/** A query parameter or a header of a call. */
export interface Parameter {
  readonly in: 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly schema: JsonSchema;
}
