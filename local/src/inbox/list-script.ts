/**
 * What the browser runs: it looks for new mail every two seconds and puts the new list in the place of the old one,
 * with the first visible mail, the focus and an open question staying where they are. Arrow keys walk through the list.
 */
export const listScript = `
const pollEveryMs = 2000;
const timeLimitMs = 10000;
const list = document.querySelector('[data-list]');
const connection = document.querySelector('[data-connection]');
const placeKey = 'inbox-place';
let revision = list.dataset.revision;

const rows = () => list.querySelector('[data-rows]');
const linkOf = (id) => list.querySelector('[data-id="' + CSS.escape(id) + '"] a');

async function get(address) {
  const answer = await fetch(address, { signal: AbortSignal.timeout(timeLimitMs) });
  if (!answer.ok) throw new Error('The inbox answered ' + answer.status);
  return answer;
}

function firstVisible() {
  const top = rows().getBoundingClientRect().top;
  for (const item of rows().querySelectorAll('[data-id]')) {
    const box = item.getBoundingClientRect();
    if (box.bottom > top) return { id: item.dataset.id, offset: box.top - top };
  }
  return undefined;
}

function replaceList(markup) {
  const scrolled = rows().scrollTop;
  const anchor = scrolled > 0 ? firstVisible() : undefined;
  const focused = document.activeElement?.closest('[data-id]')?.dataset.id;
  const known = new Set(Array.from(rows().querySelectorAll('[data-id]'), (item) => item.dataset.id));
  list.replaceChildren(...new DOMParser().parseFromString(markup, 'text/html').body.childNodes);
  for (const item of rows().querySelectorAll('[data-id]')) item.classList.toggle('new', !known.has(item.dataset.id));
  rows().scrollTop = scrolled;
  const item = anchor && linkOf(anchor.id)?.parentElement;
  if (item) {
    rows().scrollTop += item.getBoundingClientRect().top - rows().getBoundingClientRect().top - anchor.offset;
  }
  if (focused) linkOf(focused)?.focus({ preventScroll: true });
}

async function refresh() {
  const state = await (await get('/api/state')).json();
  if (state.revision === revision || list.querySelector(':popover-open')) return;
  replaceList(await (await get(list.dataset.list)).text());
  revision = state.revision;
}

async function poll() {
  if (!document.hidden) {
    try {
      await refresh();
      connection.textContent = '';
    } catch {
      connection.textContent = 'The inbox does not answer. Trying again…';
    }
  }
  setTimeout(poll, pollEveryMs);
}

function restorePlace() {
  const place = JSON.parse(sessionStorage.getItem(placeKey) ?? 'null');
  const item = place && linkOf(place.id)?.parentElement;
  if (item) {
    rows().scrollTop += item.getBoundingClientRect().top - rows().getBoundingClientRect().top - place.offset;
  }
  rows().querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
}

addEventListener('pagehide', () => {
  sessionStorage.setItem(placeKey, JSON.stringify(firstVisible() ?? null));
});

list.addEventListener('keydown', (event) => {
  const item = event.target.closest('[data-id]');
  const next = { ArrowDown: item?.nextElementSibling, ArrowUp: item?.previousElementSibling }[event.key];
  if (!next) return;
  event.preventDefault();
  next.querySelector('a').focus();
});

restorePlace();
setTimeout(poll, pollEveryMs);
`;
