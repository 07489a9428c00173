import type { noteForm } from '@dune-tide/domain/forms/lead-change';
import { foldedUsername, type TypedMention, typedMention } from '@dune-tide/domain/mentions';
import { styled } from '@mui/material/styles';
import visuallyHidden from '@mui/utils/visuallyHidden';
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useForm } from 'react-final-form';
import { TextField } from '../../../form/TextField.tsx';
import { submitWithEnter } from '../../../staff-ui/submit-with-enter.ts';
import { type TeamMember, useLeadStaff } from '../lead-staff.ts';

const Options = styled('ul')({
  marginBottom: '0.5rem',
  padding: 4,
  border: '1px solid var(--dt-palette-divider)',
  borderRadius: 8,
  fontSize: '0.875rem',
  '& > li': {
    padding: '0.375rem 0.75rem',
    borderRadius: 6,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    // Clear of the buttons at the bottom of the dialog.
    scrollMarginBlock: '4rem 6.5rem',
  },
  '& > li[aria-selected="true"]': { background: 'color-mix(in srgb, var(--dt-palette-text-primary) 10%, transparent)' },
  '& span': { color: 'var(--dt-palette-text-secondary)' },
});

/** More colleagues than this are found by more letters. */
const mostShown = 6;

/** Returns the members whose username or a part of whose name starts with what was typed. */
function membersFor(people: readonly TeamMember[], typed: string): readonly TeamMember[] {
  const wanted = foldedUsername(typed);
  const starts = (text: string): boolean => foldedUsername(text).startsWith(wanted);
  const found = people.filter(({ username, name }) => starts(username) || name.split(/\s+/u).some(starts));
  return found.sort((a, b) => Number(starts(b.username)) - Number(starts(a.username))).slice(0, mostShown);
}

const textAreaIn = (place: HTMLElement | null): HTMLTextAreaElement | null => place?.querySelector('textarea') ?? null;

/** A mention that is being typed. */
interface Completion extends TypedMention {
  /** The caret. */
  readonly to: number;
  /** The index of the highlighted member. */
  readonly active: number;
}

/** The text of a note. It completes `@` and the start of a name from the team (docs/PRODUCT.md, "Notifications"). */
export function NoteField() {
  const { me, people = [] } = useLeadStaff();
  const form = useForm();
  const id = useId();
  const area = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Completion>();
  const [caret, setCaret] = useState<{ readonly place: number }>();
  const others = people.filter((person) => person.id !== me?.id);
  const options = at ? membersFor(others, at.typed) : [];
  const isOpen = options.length > 0;
  const shown = Math.min(at?.active ?? 0, options.length - 1);
  const optionId = (index: number): string => `${id}-${index}`;

  // Runs after the completed text is in the field, which moves the caret.
  useLayoutEffect(() => {
    if (!caret) return;
    textAreaIn(area.current)?.focus();
    textAreaIn(area.current)?.setSelectionRange(caret.place, caret.place);
  }, [caret]);

  useLayoutEffect(() => {
    const textArea = textAreaIn(area.current);
    if (!textArea) return;
    // The role stays that of a text area, which has no `aria-expanded`.
    textArea.setAttribute('aria-autocomplete', 'list');
    if (!isOpen) {
      textArea.removeAttribute('aria-controls');
      textArea.removeAttribute('aria-activedescendant');
      return;
    }
    textArea.setAttribute('aria-controls', id);
    textArea.setAttribute('aria-activedescendant', `${id}-${shown}`);
    document.getElementById(`${id}-${shown}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, shown, id]);

  const close = () => setAt(undefined);
  /** @param isTyping - whether a completion may start */
  const follow = (isTyping: boolean) => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = textAreaIn(area.current) ?? {};
    const found = selectionStart === selectionEnd ? typedMention(value, selectionStart) : undefined;
    // React reports a selection also after a key that has just ended the completion.
    setAt((before) => {
      if (!found || (!isTyping && !before)) return undefined;
      const isSame = found.from === before?.from && found.typed === before.typed;
      return { ...found, to: selectionStart, active: isSame ? before.active : 0 };
    });
  };
  const choose = ({ username }: TeamMember) => {
    const { value = '' } = textAreaIn(area.current) ?? {};
    if (!at) return;
    const rest = value.slice(at.to);
    const inserted = `@${username}${/^\s/u.test(rest) ? '' : ' '}`;
    form.change('text', value.slice(0, at.from) + inserted + rest);
    setCaret({ place: at.from + inserted.length });
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[shown];
    const { ctrlKey, metaKey, altKey, shiftKey } = event;
    if (!option || event.nativeEvent.isComposing || ctrlKey || metaKey || altKey || shiftKey) {
      return submitWithEnter(event);
    }
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setAt(at && { ...at, active: (shown + step + options.length) % options.length });
    else if (event.key === 'Enter' || event.key === 'Tab') choose(option);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    // Escape must not close the dialog.
    event.stopPropagation();
  };

  // HTML has no element for a list whose field keeps the focus (ARIA practices, "Combobox").
  const listProps = { id, role: 'listbox', 'aria-label': 'Team members to mention' };
  const optionProps = (option: TeamMember, index: number) => ({
    id: optionId(index),
    role: 'option',
    'aria-selected': index === shown,
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick: () => choose(option),
  });

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the field inside
    <div ref={area} onKeyDown={onKeyDown} onInput={() => follow(true)} onSelect={() => follow(false)} onBlur={close}>
      <TextField name={textName} rows={3} />
      {isOpen && (
        <Options {...listProps}>
          {options.map((option, index) => (
            <li key={option.id} {...optionProps(option, index)}>
              <bdi>{option.name}</bdi>{' '}
              <span>
                @<bdi>{option.username}</bdi>
              </span>
            </li>
          ))}
        </Options>
      )}
      <output style={visuallyHidden}>
        {isOpen &&
          `${options.length} ${options.length === 1 ? 'team member' : 'team members'}. Arrow keys choose, Enter inserts.`}
      </output>
    </div>
  );
}

const textName = 'text' satisfies keyof typeof noteForm.properties;
