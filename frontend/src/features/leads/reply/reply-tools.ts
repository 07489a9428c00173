import type { ReplyMode } from '@dune-tide/domain/replies';
import { type ComponentType, createContext, use } from 'react';

interface RecipePickerProps {
  /** Called with the text of the chosen recipe. */
  readonly onPick: (text: string) => void;
  readonly onClose: () => void;
}

/** The parts of a reply's form that the page provides. */
export interface ReplyTools {
  readonly mode: ReplyMode;
  /** Provided by the page, because recipes belong to another feature. */
  readonly RecipePicker?: ComponentType<RecipePickerProps> | undefined;
}

export const ReplyToolsContext = createContext<ReplyTools>({ mode: 'simulated' });

export const useReplyTools = (): ReplyTools => use(ReplyToolsContext);
