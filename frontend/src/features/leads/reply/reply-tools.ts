import type { ReplyMode } from '@dune-tide/domain/replies';
import { type ComponentType, createContext, type ReactNode, use } from 'react';
import type { HistoryEntry } from '../leads-api.ts';

interface RecipePickerProps {
  /** Called with the text of the chosen recipe. */
  readonly onPick: (text: string) => void;
  readonly onClose: () => void;
}

type EmailEntry = Extract<HistoryEntry, { readonly kind: 'email' }>;

interface EmailProps {
  readonly email: Omit<EmailEntry, 'kind' | 'at' | 'actor'> & { readonly leadId: string };
  /** Replaces the name of its kind. */
  readonly label?: ReactNode;
  /** More actions on a failed email. */
  readonly actions?: ReactNode;
}

/** The parts of replies and their history that the page provides, because they belong to other features. */
export interface ReplyTools {
  readonly mode: ReplyMode;
  readonly RecipePicker?: ComponentType<RecipePickerProps> | undefined;
  /** The state of an email and the actions on it. */
  readonly Email: ComponentType<EmailProps>;
}

export const ReplyToolsContext = createContext<ReplyTools>({ mode: 'simulated', Email: () => null });

export const useReplyTools = (): ReplyTools => use(ReplyToolsContext);
