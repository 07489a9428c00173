import { Component, type ContextType, createContext, type ReactNode, type RefObject } from 'react';
import { shownValue } from './controls.ts';
import type { DraftValue } from './draft-storage.ts';

/** The fields of the surrounding form. */
export const ShownFieldsContext = createContext<Set<ShownField> | null>(null);

interface ShownFieldProps {
  /** Contains the controls of the field. */
  readonly place: RefObject<HTMLElement | null>;
  /** The value in the form's state. */
  readonly value: unknown;
  readonly onChange: (value: DraftValue) => void;
  readonly children: ReactNode;
}

/**
 * A field whose shown value counts, even if it was set without an event. Some password managers fill in fields like
 * that, and React would reset the field to the form's state when it renders it (docs/PRODUCT.md, "Form behaviour").
 */
export class ShownField extends Component<ShownFieldProps, object, DraftValue | null> {
  static override readonly contextType = ShownFieldsContext;
  declare context: ContextType<typeof ShownFieldsContext>;

  /** The shown value after the last render. It can differ from the state's, e.g. in its line breaks. */
  #rendered: DraftValue | undefined;

  override componentDidMount(): void {
    this.context?.add(this);
    this.#rendered = this.#shown();
  }

  override getSnapshotBeforeUpdate(): DraftValue | null {
    return this.#unread() ?? null;
  }

  override componentDidUpdate(previous: ShownFieldProps, _: object, unread: DraftValue | null): void {
    this.#rendered = this.#shown();
    if (unread !== null && previous.value === this.props.value) this.props.onChange(unread);
  }

  override componentWillUnmount(): void {
    this.context?.delete(this);
  }

  /** Copies a value that was set without an event to the form's state. */
  read(): void {
    const unread = this.#unread();
    if (unread === undefined) return;
    this.#rendered = unread;
    this.props.onChange(unread);
  }

  override render(): ReactNode {
    return this.props.children;
  }

  #shown(): DraftValue | undefined {
    return this.props.place.current ? shownValue(this.props.place.current) : undefined;
  }

  #unread(): DraftValue | undefined {
    const shown = this.#shown();
    return shown === this.#rendered ? undefined : shown;
  }
}
