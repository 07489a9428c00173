import { createContext } from 'react';

/** What a form's success says. */
export interface Thanks {
  /** Left out where specification §8 gives a text only. */
  readonly title?: string;
  readonly text: string;
}

/** What the form said when it was last sent, if it was. */
export const SentContext = createContext<Thanks | undefined>(undefined);
