import { createContext, use, useLayoutEffect } from 'react';

/** Reasons that keep a modal open. */
export interface ModalHold {
  /** Whether a request is pending. If so, the modal cannot be closed until the request ends. */
  readonly isBusy: boolean;
  /** Whether typed text would be lost. If so, a click on the backdrop does not close the modal. */
  readonly isTyped: boolean;
}

export const noHold: ModalHold = { isBusy: false, isTyped: false };

export const ModalHoldContext = createContext<{
  readonly hold: ModalHold;
  readonly onHold: (hold: ModalHold) => void;
} | null>(null);

/** Keeps the surrounding modal open. Only one component of a modal may call it. */
export function useModalHold({ isBusy = false, isTyped = false }: Partial<ModalHold>): void {
  const onHold = use(ModalHoldContext)?.onHold;
  useLayoutEffect(() => {
    onHold?.({ isBusy, isTyped });
    return () => onHold?.(noHold);
  }, [onHold, isBusy, isTyped]);
}

/** Returns whether the surrounding modal waits for a response. */
export function useIsModalBusy(): boolean {
  return use(ModalHoldContext)?.hold.isBusy ?? false;
}
