import type { FormSchema } from '@dune-tide/domain/forms/form-schema';
import type { JsonSchema } from '@dune-tide/domain/responses/schema';
import type { ResponseDescription } from './response-description.ts';
import type { ProblemStatus } from './errors/problem-answers.ts';

/** A call as its feature describes it; the document adds what holds for all calls of its sort. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Those of the path need no mention. */
  readonly parameters?: readonly Parameter[];
  /** The forms that its body may be, each the very one that checks it. */
  readonly body?: readonly FormSchema[];
  /** By their status. */
  readonly answers: Readonly<Record<number, ResponseDescription>>;
  /** The refusals that are its own. */
  readonly problems?: readonly ProblemStatus[];
}

/** What a call takes beside its path and its body. */
export interface Parameter {
  readonly in: 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly schema: JsonSchema;
}
