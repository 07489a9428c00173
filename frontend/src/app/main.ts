import { frostedAfterScroll } from '../layouts/site/frosted.ts';
import { hasDraft } from '../form/draft-storage.ts';
import { keepEarlyForms } from '../form/pre-hydration/typed.ts';
import { clearPresses, hideLoadError, queuePress, showLoadError, takePress } from '../form/pre-hydration/presses.ts';
import { expectVisitor, noteVisitor } from '../ui/visitor.ts';
import { watchFirstTouch } from '../form/form-token.ts';
import { opensElsewhere } from '../routing/link-modifiers.ts';
import { scrollToSection, sectionOf } from '../routing/scroll.ts';
import { keepPrerenderedStyles } from './prerendered-styles.ts';
import './base.css';

/*
 * The first script of every page. The build has prerendered the page. This script loads the application when the
 * browser is idle or at the first interaction, and queues the visitor's input until the application runs.
 */

const firstSigns = [
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'scroll',
  'keydown',
  'focusin',
  // Tries again at the end of a press, because the attempt at its start may have failed.
  'click',
  'submit',
] as const;

/** Capturing, because `keepEarlyForms` stops submit events. */
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
    // Failed imports look like any other error, so all are reported, but the same error only once while offline.
    if (String(error) !== reported) reportError(error);
    reported = String(error);
    // The connection may return: the next sign of the visitor tries again.
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
  // If a page appears under a resting pointer, browsers send a synthetic move event.
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
 * Links work without the application; links within the page scroll. A clicked button is clicked again when the
 * application runs, unless the visitor has clicked another element by then.
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
  const section = sectionOf(pressed.hash);
  if (section) scrollToSection(section.id);
}

/** Scrolls to the section of an address with appended parameters, which the browser does not find. */
function showSection(): void {
  const isReload = performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type !== 'navigate');
  if (!isReload && /[?&]/.test(location.hash)) sectionOf(location.hash)?.scrollIntoView();
}

/** @returns a function that finds a button, even after React has rendered it again */
function finder(button: HTMLElement): () => HTMLElement | undefined {
  const alike = () =>
    [...document.querySelectorAll<HTMLElement>('#root button')].filter(
      ({ className }) => className === button.className,
    );
  const place = alike().indexOf(button);
  return () => (button.isConnected ? button : alike()[place]);
}

/** Starts in steps, so that none of them delays a visitor's input. */
async function startWhenIdle(page: HTMLElement): Promise<void> {
  for (const load of [() => import('react-dom/client'), () => import('./theme.ts')]) {
    await idle();
    // If this fails, the start fails with the same error and reports it.
    await load().catch(() => undefined);
  }
  await idle();
  await startApplication(page, null);
}

/** Resolves once the page has loaded and the browser is idle. */
const idle = (): Promise<void> => new Promise(whenIdle);

function whenIdle(task: () => void): void {
  // An animated page may never be idle, and Safari lacks requestIdleCallback.
  const wait = () =>
    typeof requestIdleCallback === 'function' ? requestIdleCallback(task, { timeout: 10_000 }) : setTimeout(task, 2000);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}

const connection = 'connection' in navigator ? (navigator.connection as { readonly saveData?: boolean }) : undefined;

document.documentElement.dataset['code'] = 'loading';
keepEarlyForms();
watchFirstTouch();
keepPrerenderedStyles();
if (isPainted) {
  expectVisitor();
  for (const type of firstSigns) document.addEventListener(type, onFirstSign, asTheyCome);
  document.addEventListener('click', onEarlyClick);
  window.addEventListener('scroll', onEarlyScroll, { passive: true });
  showSection();
  onEarlyScroll();
}
// A visitor must see a restored draft without delay.
if (!isPainted || hasDraft(location.pathname)) {
  noteVisitor();
  void startApplication(root, null);
} else if (connection?.saveData !== true) void startWhenIdle(root);
