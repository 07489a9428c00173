import { act, fireEvent, render, screen } from '@testing-library/react/pure';
import { expect } from 'chai';
import { leadKeys, type KeyActions, useLeadKeys } from '../../src/features/leads/keys/lead-keys.ts';
import { switchKeys } from '../../src/features/leads/keys/keys-switch.ts';
import { KeysDialog } from '../../src/features/leads/keys/KeysDialog.tsx';

let pressed: string[] = [];
const actions: KeyActions = {
  next: () => pressed.push('next'),
  status: () => pressed.push('status'),
  help: () => pressed.push('help'),
};

function Example({ hasMenu = false }: { readonly hasMenu?: boolean }) {
  useLeadKeys('page', actions);
  return (
    <div id="page">
      <button>Button</button>
      <textarea aria-label="Note" />
      {hasMenu && <ul role="menu" aria-label="Menu" />}
    </div>
  );
}

const press = (target: Element, init: KeyboardEventInit) =>
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })));
const button = () => screen.getByRole('button', { name: 'Button' });

describe('The keys of the leads page', () => {
  beforeEach(() => {
    pressed = [];
    switchKeys(true);
  });

  it('call their actions', () => {
    render(<Example />);
    for (const key of ['j', 's', '?', 'x']) press(button(), { key });
    expect(pressed).to.deep.equal(['next', 'status', 'help']);
  });

  it('are found by their place on a keyboard without Latin letters', () => {
    render(<Example />);
    press(button(), { key: 'ت', code: 'KeyJ' });
    press(button(), { key: '؟', code: 'Slash', shiftKey: true });
    press(button(), { key: 'o', code: 'KeyS' });
    expect(pressed, 'a Latin letter counts as it is').to.deep.equal(['next', 'help']);
  });

  for (const [name, init] of [
    ['Control', { ctrlKey: true }],
    ['Alt', { altKey: true }],
    ['Meta', { metaKey: true }],
    ['Shift', { shiftKey: true }],
  ] as const) {
    it(`leave ${name} with a letter to the browser`, () => {
      render(<Example />);
      press(button(), { key: 'j', ...init });
      expect(pressed).to.deep.equal([]);
    });
  }

  it('are typed into a field', () => {
    render(<Example />);
    press(screen.getByRole('textbox'), { key: 'j' });
    expect(pressed).to.deep.equal([]);
  });

  it('do nothing while a menu is open, or while a dialog covers the page', () => {
    const { rerender } = render(<Example hasMenu />);
    press(button(), { key: 'j' });
    rerender(<Example />);
    document.getElementById('page')!.inert = true;
    press(button(), { key: 'j' });
    expect(pressed).to.deep.equal([]);
  });

  it('repeat only to move', () => {
    render(<Example />);
    press(button(), { key: 'j', repeat: true });
    press(button(), { key: 's', repeat: true });
    expect(pressed).to.deep.equal(['next']);
  });

  it('are all in the list, whose switch turns them off in this browser', () => {
    render(
      <>
        <Example />
        <KeysDialog open onClose={() => undefined} />
      </>,
    );
    const listed = [...document.querySelectorAll('kbd')].map(({ textContent }) => textContent);
    expect(listed).to.deep.equal(Object.values(leadKeys).map(({ key }) => key));
    fireEvent.click(screen.getByLabelText('Use the keys in this browser'));
    press(button(), { key: 'j' });
    expect(pressed).to.deep.equal([]);
    expect(localStorage.getItem('lead-keys')).to.equal('off');
    fireEvent.click(screen.getByLabelText('Use the keys in this browser'));
    expect(localStorage.getItem('lead-keys')).to.equal(null);
  });
});
