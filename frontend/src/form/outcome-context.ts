import { createContext } from 'react';

/** What a form's success says. */
export interface Thanks {
  /** Left out where the toast is a text only. */
  readonly title?: string;
  readonly text: string;
}

/** What a public form says at its button of how it was last sent. */
interface Outcome {
  /** Once it was sent. */
  readonly thanks?: Thanks | undefined;
  readonly failureText?: string;
}

export const OutcomeContext = createContext<Outcome>({});
