import { createContext } from 'react';

/** The texts that confirm a form's success. */
export interface Thanks {
  /** Missing if the toast has only a text. */
  readonly title?: string;
  readonly text: string;
}

/** The result of a public form's last attempt, shown at its button. */
interface Outcome {
  /** Set once the form has been sent. */
  readonly thanks?: Thanks | undefined;
  readonly failureText?: string;
}

export const OutcomeContext = createContext<Outcome>({});
