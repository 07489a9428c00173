import { foundIn, searchTerms } from '@dune-tide/domain/search';
import { styled } from '@mui/material/styles';
import { createContext, use, useMemo, type ReactNode } from 'react';

const Mark = styled('mark')({
  borderRadius: 2,
  background: 'color-mix(in srgb, var(--dt-palette-secondary-main) 26%, transparent)',
  // The muted colour of some texts has too little contrast on this background.
  color: 'var(--dt-palette-text-primary)',
});

/** The words that are marked in the texts below; empty for none. */
const WordsContext = createContext<ReturnType<typeof searchTerms>>([]);

interface HighlightWordsProps {
  /** The content of the search field. */
  readonly words: string;
  readonly children: ReactNode;
}

/** The words of the search above, as far as it has any. */
export const useSearchedWords = (): ReturnType<typeof searchTerms> => use(WordsContext);

/** Marks the words of a search in each `Highlight` below. */
export function HighlightWords({ words, children }: HighlightWordsProps) {
  return <WordsContext value={useMemo(() => searchTerms(words), [words])}>{children}</WordsContext>;
}

/** A text in which the words of the search are marked. */
export function Highlight({ text }: { readonly text: string }) {
  const words = use(WordsContext);
  const places = foundIn(text, words);
  if (places.length === 0) return text;
  return (
    <>
      {places.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(places[index - 1]?.to ?? 0, from)}
          <Mark>{text.slice(from, to)}</Mark>
        </span>
      ))}
      {text.slice(places.at(-1)?.to)}
    </>
  );
}
