import { useEffect, useEffectEvent, useRef, useState } from 'react';

interface FocusTextProps {
  /** Returns the position of the caret in the text; its end by default. */
  readonly place?: (text: string) => number;
}

const atEnd = (text: string): number => text.length;

/** Focuses the text area of its form when the form appears, and places the caret. */
export function FocusText({ place = atEnd }: FocusTextProps) {
  const span = useRef<HTMLSpanElement>(null);
  const [isFilled, setIsFilled] = useState(false);
  // The draft is in the field one rendering later, which moves the caret.
  // oxlint-disable-next-line react/set-state-in-effect -- the second render is intended
  useEffect(() => setIsFilled(true), []);
  const focus = useEffectEvent(() => {
    const text = span.current?.closest('form')?.querySelector('textarea');
    const at = place(text?.value ?? '');
    text?.focus();
    text?.setSelectionRange(at, at);
  });
  useEffect(() => {
    if (isFilled) focus();
  }, [isFilled]);
  return <span ref={span} hidden />;
}
