import { frostedAfterScroll } from '../layouts/site/frosted.ts';
import { hasDraft } from '../form/draft-storage.ts';
import { keepEarlyForms } from '../form/pre-hydration/typed.ts';
import { clearPresses, hideLoadError, queuePress, showLoadError, takePress } from '../form/pre-hydration/presses.ts';
import { expectVisitor, noteVisitor } from '../ui/visitor.ts';
import { watchFirstTouch } from '../form/form-token.ts';
import { opensElsewhere } from '../routing/link-modifiers.ts';
import { scrollToSection } from '../routing/scroll.ts';
import './base.css';

/*
 * The first script of every page; the build has painted the page. It loads the application at the first idle moment or at
 * the first sign of a visitor, and keeps what the visitor does until the application runs.
 */

const firstSigns = [
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'scroll',
  'keydown',
  'focusin',
  // The attempt at the start of a press may have failed before its end.
  'click',
  'submit',
] as const;

/** Captured: `keepEarlyForms` stops a submit. */
const asTheyCome = { passive: true, capture: true };

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');

const isPainted = root.hasChildNodes();
let isStarting = false;
let isRunning = false;
let reported: string | undefined;
let earlyPress: { readonly button: HTMLElement; readonly find: () => HTMLElement | undefined } | undefined;

async function startApplication(page: HTMLElement, touched: EventTarget | null): Promise<void> {
  if (isStarting) return;
  isStarting = true;
  try {
    const { start } = await import('./start.tsx');
    await start(page, touched);
  } catch (error) {
    // A lost script looks like any other error here, so each is reported; once is enough for a visitor who is offline.
    if (String(error) !== reported) reportError(error);
    reported = String(error);
    // The connection may come back: the visitor's next move tries again.
    isStarting = false;
    document.documentElement.dataset['code'] = 'failed';
    if (clearPresses() || !isPainted) showLoadError(isPainted ? document.body : page);
    return;
  }
  isRunning = true;
  document.documentElement.dataset['code'] = 'running';
  hideLoadError();
  document.removeEventListener('click', onEarlyClick);
  window.removeEventListener('scroll', onEarlyScroll);
  if (earlyPress && takePress(earlyPress.button)) earlyPress.find()?.click();
}

const onFirstSign = (event: Event) => {
  // Where a page appears under a pointer that rests, browsers make up a move.
  if (event instanceof MouseEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0)
    return;
  noteVisitor();
  if (isRunning) for (const type of firstSigns) document.removeEventListener(type, onFirstSign, asTheyCome);
  else void startApplication(root, event.target);
};

function onEarlyScroll(): void {
  document.querySelector('[data-frosted]')?.setAttribute('data-frosted', String(window.scrollY > frostedAfterScroll));
}

/**
 * Links work without the application, those within the page by scrolling; a pressed button is pressed again for it,
 * unless the visitor goes on to press something else.
 */
function onEarlyClick(event: MouseEvent): void {
  const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>('a, button') : null;
  if (earlyPress) takePress(earlyPress.button);
  earlyPress = undefined;
  if (pressed instanceof HTMLButtonElement && pressed.type !== 'submit') {
    earlyPress = { button: pressed, find: finder(pressed) };
    queuePress(pressed, pressed);
  }
  if (!(pressed instanceof HTMLAnchorElement) || pressed.hash.length < 2 || pressed.pathname !== location.pathname)
    return;
  if (opensElsewhere(event)) return;
  event.preventDefault();
  scrollToSection(pressed.hash.slice(1));
}

/** @returns finds a button of the page, also where React has rendered it again in the meantime */
function finder(button: HTMLElement): () => HTMLElement | undefined {
  const alike = () =>
    [...document.querySelectorAll<HTMLElement>('#root button')].filter(
      ({ className }) => className === button.className,
    );
  const place = alike().indexOf(button);
  return () => (button.isConnected ? button : alike()[place]);
}

/** Starts in steps, so that no single one keeps a visitor waiting who comes in the meantime. */
async function startWhenIdle(page: HTMLElement): Promise<void> {
  await idle();
  // When it fails, the start fails with the same error and reports it.
  await import('react-dom/client').catch(() => undefined);
  await idle();
  await startApplication(page, null);
}

/** Resolves once the page is loaded and there is nothing else to do. */
const idle = (): Promise<void> => new Promise(whenIdle);

function whenIdle(task: () => void): void {
  // A page that moves may never be idle; and Safari has no requestIdleCallback.
  const wait = () =>
    typeof requestIdleCallback === 'function' ? requestIdleCallback(task, { timeout: 10_000 }) : setTimeout(task, 2000);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}

const connection = 'connection' in navigator ? (navigator.connection as { readonly saveData?: boolean }) : undefined;

document.documentElement.dataset['code'] = 'loading';
keepEarlyForms();
watchFirstTouch();
if (isPainted) {
  expectVisitor();
  for (const type of firstSigns) document.addEventListener(type, onFirstSign, asTheyCome);
  document.addEventListener('click', onEarlyClick);
  window.addEventListener('scroll', onEarlyScroll, { passive: true });
  onEarlyScroll();
}
// What was typed before is to be seen immediately.
if (!isPainted || hasDraft(location.pathname)) {
  noteVisitor();
  void startApplication(root, null);
} else if (connection?.saveData !== true) void startWhenIdle(root);
