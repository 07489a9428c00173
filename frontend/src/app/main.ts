import { frostedAfterScroll } from '../layouts/site/frosted.ts';
import { hasDraft } from '../form/draft-storage.ts';
import { keepEarlyForms } from '../form/pre-hydration/typed.ts';
import {
  clearQueuedClicks,
  showLoadError,
  hideLoadError,
  takeQueuedClick,
  queueClick,
} from '../form/pre-hydration/presses.ts';
import { watchFirstTouch } from '../form/form-token.ts';
import { opensElsewhere } from '../routing/link-modifiers.ts';
import { scrollToSection } from '../routing/scroll.ts';
import './base.css';

/*
 * All the script that a visitor gets who only reads: the build has painted the page. The application is loaded at the
 * first sign that somebody is there, and until it runs this keeps what they do.
 */

const firstSigns = [
  'pointermove',
  'pointerdown',
  'touchstart',
  'wheel',
  'keydown',
  'focusin',
  // The try at the start of a press may have failed before its end.
  'click',
  'submit',
] as const;

/** Captured: `keepEarlyForms` stops a submit. */
const asTheyCome = { passive: true, capture: true };

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root"');

const isPainted = root.hasChildNodes();
let isStarting = false;
let reported: string | undefined;
let earlyPress: HTMLElement | undefined;

async function startApplication(page: HTMLElement, touched: EventTarget | null): Promise<void> {
  if (isStarting) return;
  isStarting = true;
  try {
    const { start } = await import('./start.tsx');
    await start(page, touched);
  } catch (error) {
    // A lost script looks like any other error here: no fault of ours may pass for one unheard. Once is enough for
    // those who are offline and go on moving.
    if (String(error) !== reported) reportError(error);
    reported = String(error);
    // The connection may come back: the visitor's next move tries again.
    isStarting = false;
    if (clearQueuedClicks() || !isPainted) showLoadError(isPainted ? document.body : page);
    return;
  }
  hideLoadError();
  for (const type of firstSigns) document.removeEventListener(type, onFirstSign, asTheyCome);
  document.removeEventListener('click', onEarlyClick);
  window.removeEventListener('scroll', onEarlyScroll);
  if (earlyPress && takeQueuedClick(earlyPress)) earlyPress.click();
}

const onFirstSign = (event: Event) => {
  // Where a page appears under a pointer that rests, browsers make up a move.
  if (event instanceof MouseEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0)
    return;
  void startApplication(root, event.target);
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
  if (earlyPress) takeQueuedClick(earlyPress);
  earlyPress = pressed instanceof HTMLButtonElement && pressed.type !== 'submit' ? pressed : undefined;
  if (earlyPress) queueClick(earlyPress);
  if (!(pressed instanceof HTMLAnchorElement) || pressed.hash.length < 2 || pressed.pathname !== location.pathname)
    return;
  if (opensElsewhere(event)) return;
  event.preventDefault();
  scrollToSection(pressed.hash.slice(1));
}

/** Fetches the application's largest scripts, without running them, so that the first touch waits less. */
function fetchAhead(): void {
  const connection = 'connection' in navigator ? (navigator.connection as { readonly saveData?: boolean }) : undefined;
  if (connection?.saveData === true) return;
  const scripts = document.querySelector<HTMLMetaElement>('meta[name="idle-scripts"]')?.content ?? '';
  for (const href of scripts.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'prefetch', as: 'script', crossOrigin: 'anonymous', href });
    document.head.append(link);
  }
}

/** Runs once the page is loaded and there is nothing else to do. */
function whenIdle(task: () => void): void {
  // A page that moves may never be idle; and Safari has no requestIdleCallback.
  const wait = () =>
    typeof requestIdleCallback === 'function' ? requestIdleCallback(task, { timeout: 10_000 }) : setTimeout(task, 2000);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}

keepEarlyForms();
watchFirstTouch();
if (isPainted) {
  for (const type of firstSigns) document.addEventListener(type, onFirstSign, asTheyCome);
  document.addEventListener('click', onEarlyClick);
  window.addEventListener('scroll', onEarlyScroll, { passive: true });
  onEarlyScroll();
}
// What was typed before is to be seen at once.
if (!isPainted || hasDraft(location.pathname)) void startApplication(root, null);
else whenIdle(fetchAhead);
