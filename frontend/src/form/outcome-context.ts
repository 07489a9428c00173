import type { formGuides } from '@dune-tide/domain/content/form-guides';
import { createContext } from 'react';

/** The texts that confirm a form's success. */
export interface Thanks {
  /** Missing if the toast has only a text. */
  readonly title?: string;
  readonly text: string;
}

/** The main values of a sent form with short labels. An empty value is left out. */
export type Receipt = readonly (readonly [label: string, value: string | undefined])[];

/** The result of a public form's last attempt, shown at its button. */
interface Outcome {
  /** Set once the form has been sent. */
  readonly thanks?: Thanks | undefined;
  readonly receipt?: Receipt | undefined;
  readonly guide?: keyof typeof formGuides | undefined;
  readonly failureText?: string;
}

export const OutcomeContext = createContext<Outcome>({});
