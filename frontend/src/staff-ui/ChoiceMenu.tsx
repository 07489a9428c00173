import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { ReactNode } from 'react';
import { CheckIcon } from '../ui/icons.tsx';
import { modalRootId } from '../styles/layout-constants.ts';

/** An entry of a menu. */
export interface Choice<Value> {
  readonly value: Value;
  /** The text that the user can type to find the entry. */
  readonly label: string;
  /** Replaces the label on the screen. */
  readonly content?: ReactNode;
}

interface ChoiceMenuProps<Value> {
  /** The accessible name. */
  readonly label: string;
  /** The element that opened it, which gets the focus back; null closes it. */
  readonly anchor: HTMLElement | null;
  readonly choices: readonly Choice<Value>[];
  /** The chosen value; an array if several can be chosen, while the menu stays open; nothing for a menu of actions. */
  readonly selected?: Value | undefined | readonly Value[];
  readonly onChoose: (value: Value) => void;
  readonly onClose: () => void;
}

/** A menu of choices, exclusive or not. The chosen one has the focus first, and typing finds the others. */
export function ChoiceMenu<Value>(props: ChoiceMenuProps<Value>) {
  const { label, anchor, choices, selected, onChoose, onClose } = props;
  const isChosen = (value: Value): boolean => (Array.isArray(selected) ? selected.includes(value) : value === selected);
  return (
    <Menu
      open={anchor !== null}
      anchorEl={anchor}
      onClose={onClose}
      container={() => document.getElementById(modalRootId)}
      disableScrollLock
      // Without it, the keys of the page would not work until the menu has faded out.
      transitionDuration={0}
      slotProps={{
        list: { 'aria-label': label, dense: true },
        paper: { sx: { maxHeight: 'min(20rem, 80vh)', backgroundImage: 'none', border: 1, borderColor: 'divider' } },
      }}
    >
      {choices.map(({ value, label: text, content }) => (
        <MenuItem
          key={text}
          {...roleOf(selected, isChosen(value))}
          selected={isChosen(value)}
          onClick={() => {
            if (!Array.isArray(selected)) onClose();
            if (Array.isArray(selected) || !isChosen(value)) onChoose(value);
          }}
          sx={{
            minHeight: '2.25rem',
            maxWidth: '22rem',
            gap: 1,
            whiteSpace: 'normal',
            overflowWrap: 'anywhere',
            // The menu would clip an outline outside of its entries.
            '&:focus-visible': { outlineOffset: -2 },
            '&.Mui-selected, &.Mui-selected.Mui-focusVisible, &.Mui-focusVisible, &:hover, &.Mui-selected:hover': {
              background: 'color-mix(in srgb, var(--dt-palette-text-primary) 8%, transparent)',
            },
          }}
        >
          {content ?? text}
          {isChosen(value) && Array.isArray(selected) && (
            <CheckIcon fontSize="small" sx={{ marginLeft: 'auto', color: 'secondary.main' }} />
          )}
        </MenuItem>
      ))}
    </Menu>
  );
}

function roleOf(selected: unknown, isChosen: boolean) {
  if (selected === undefined) return { role: 'menuitem' };
  return { role: Array.isArray(selected) ? 'menuitemcheckbox' : 'menuitemradio', 'aria-checked': isChosen };
}
