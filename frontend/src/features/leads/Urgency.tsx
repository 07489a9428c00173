import { LevelMark } from '../../staff-ui/lists/LevelMark.tsx';
import { urgencyLevel, urgencyWord } from './lead-labels.ts';
import { urgencyMarks } from './lead-tones.ts';

/** The urgency level in its colour; a more urgent level has more bars. The details show the full option. */
export function Urgency({ urgency, isWhole = false }: { readonly urgency: string; readonly isWhole?: boolean }) {
  const level = urgencyLevel(urgency);
  const { tone, bars } = (level === undefined ? undefined : urgencyMarks[level]) ?? { tone: 'calm', bars: 0 };
  return <LevelMark tone={tone} level={bars} of={4} label={isWhole ? urgency : urgencyWord(urgency)} />;
}
