import { createContext, use, useLayoutEffect } from 'react';

/** What keeps a modal open. */
export interface ModalHold {
  /** An answer is on its way: nothing closes the modal before it is there. */
  readonly isBusy: boolean;
  /** Something is typed that would be lost: a click beside the modal does not close it. */
  readonly isTyped: boolean;
}

export const noHold: ModalHold = { isBusy: false, isTyped: false };

export const ModalHoldContext = createContext<{
  readonly hold: ModalHold;
  readonly onHold: (hold: ModalHold) => void;
} | null>(null);

/** Keeps the modal around open; of all that stands in one, a single component may do so. */
export function useModalHold({ isBusy = false, isTyped = false }: Partial<ModalHold>): void {
  const onHold = use(ModalHoldContext)?.onHold;
  useLayoutEffect(() => {
    onHold?.({ isBusy, isTyped });
    return () => onHold?.(noHold);
  }, [onHold, isBusy, isTyped]);
}

/** Whether the modal around waits for an answer. */
export function useIsModalBusy(): boolean {
  return use(ModalHoldContext)?.hold.isBusy ?? false;
}
