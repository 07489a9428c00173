import Button from '@mui/material/Button';
import { useState } from 'react';
import { type Choice, ChoiceMenu } from './ChoiceMenu.tsx';
import { ChevronDownIcon } from './icons.tsx';

/** The height of the controls in a bar, in pixels. */
export const controlHeight = 36;

interface MenuButtonProps<Value> {
  readonly name: string;
  /** The chosen values as text, shown after the name; empty for the default. */
  readonly value?: string;
  readonly choices: readonly Choice<Value>[];
  /** The chosen value, or an array if several can be chosen; nothing for a menu of actions. */
  readonly selected?: Value | readonly Value[];
  readonly onChoose: (value: Value) => void;
}

/** A button with a name and a value, which opens the menu of its values. */
export function MenuButton<Value>({ name, value = '', choices, selected, onChoose }: MenuButtonProps<Value>) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        data-printed={value === '' ? undefined : true}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        endIcon={<ChevronDownIcon />}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{
          minHeight: controlHeight,
          maxWidth: '100%',
          paddingInline: 1.25,
          borderColor: value === '' ? 'divider' : 'secondary.main',
          bgcolor: value === '' ? undefined : 'color-mix(in srgb, var(--dt-palette-secondary-main) 10%, transparent)',
          fontWeight: value === '' ? 400 : 600,
          textAlign: 'start',
        }}
      >
        {value === '' ? name : `${name}: ${value}`}
      </Button>
      <ChoiceMenu
        label={name}
        anchor={anchor}
        choices={choices}
        selected={selected}
        onChoose={onChoose}
        onClose={() => setAnchor(null)}
      />
    </>
  );
}
