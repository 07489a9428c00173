import { brand, palette } from '@dune-tide/domain/brand';
import { html } from '@dune-tide/platform/html';
import type { Html } from '@dune-tide/platform/html';
import type { Mail, MailSummary } from './mail.ts';

/** The list and the header of every page. */
export interface View {
  readonly smtpUrl: string;
  /** The number of stored emails. `mails` has only the newest ones. */
  readonly total: number;
  readonly mails: readonly MailSummary[];
  /** The id of the open email. */
  readonly selected: string | undefined;
}

const shortTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' });
const fullTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' });
const count = new Intl.NumberFormat('en-US');
const size = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
});

/** Renders a page without an open email. */
export function messagePage(view: View, title: string, message: string): Html {
  return frame(view, title, html`<p class="empty">${message}</p>`);
}

/** Renders the page of an open email. */
export function readingPage(view: View, { summary: mail, ...content }: Mail): Html {
  return frame(
    view,
    subjectOf(mail),
    html`<article aria-labelledby="subject">
      <a href="/" class="back">Inbox</a>
      <h1 id="subject" dir="auto">${subjectOf(mail)}</h1>
      <dl>
        ${fact('From', mail.from)} ${fact('To', mail.to)} ${fact('Envelope', blindRecipients(mail))}
        ${fact('Received', fullTime.format(new Date(mail.receivedAt)))}
      </dl>
      ${
        mail.attachments.length > 0 &&
        html`<ul aria-label="Attachments">
          ${mail.attachments.map(
            (attachment, number) =>
              html`<li>
                <a href="/messages/${mail.id}/attachments/${number}" target="_blank" dir="auto"
                  >${attachment.filename}</a
                >
                <small>${attachment.contentType} · ${size.format(attachment.size)}</small>
              </li>`,
          )}
        </ul>`
      }
      ${
        content.html !== null &&
        html`<iframe
          title="The email as the recipient sees it"
          src="/messages/${mail.id}/html"
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerpolicy="no-referrer"
        ></iframe>`
      }
      ${section('Plain text', content.text, content.html === null)} ${section('Headers', content.headers, false)}
      <p><a href="/api/messages/${mail.id}/raw" download>Download .eml</a> <small>${size.format(mail.size)}</small></p>
    </article>`,
  );
}

function listPane({ total, mails, selected }: View): Html {
  const title = html`Inbox <small>${count.format(total)}</small>`;
  return html`${selected === undefined ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
    ${
      total > 0 &&
      html`<button type="button" popovertarget="delete-all">Delete all</button>
        <form id="delete-all" popover method="post" action="/delete-all">
          <p>Delete ${total === 1 ? 'the email' : `all ${count.format(total)} emails`} for good?</p>
          <button type="button" popovertarget="delete-all">Keep</button> <button>Delete all</button>
        </form>`
    }
    ${total === 0 && html`<p class="empty"><strong>No emails yet</strong> Emails appear here when they arrive.</p>`}
    <ol>
      ${mails.map((mail) => row(mail, mail.id === selected))}
    </ol>
    ${total > mails.length && html`<p class="empty">Older emails are in the folder of the inbox.</p>`}`;
}

function row(mail: MailSummary, isSelected: boolean): Html {
  const attachments = mail.attachments.length;
  return html`<li>
    <a class="row" href="/messages/${mail.id}" ${isSelected && html`aria-current="true"`}>
      <strong dir="auto">${mail.to || 'No recipient'}</strong>
      <span dir="auto">${subjectOf(mail)}</span>
      <small dir="auto">${mail.preview}</small>
      <small>
        <time datetime="${mail.receivedAt}">${shortTime.format(new Date(mail.receivedAt))}</time> ·
        <bdi>${mail.from}</bdi> · ${size.format(mail.size)}
        ${attachments > 0 && ` · ${attachments} ${attachments === 1 ? 'attachment' : 'attachments'}`}
      </small>
    </a>
  </li>`;
}

function frame(view: View, title: string, reader: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${brand.name} mail</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/inbox.css" />
        <script src="/assets/inbox.js" type="module"></script>
      </head>
      <body class="${view.selected === undefined ? 'listing' : 'reading'}">
        <header>
          <a href="/"><img src="/assets/icon.svg" alt="" width="28" height="28" />${brand.name}</a>
          <span role="status" data-connection></span>
          <code>${view.smtpUrl}</code>
        </header>
        <main>
          <section aria-label="Emails" data-list>${listPane(view)}</section>
          <section aria-label="Email">${reader}</section>
        </main>
      </body>
    </html>`;
}

// The text is not indented, because the page shows its whitespace.
function section(name: string, text: string | null, isOpen: boolean): Html | false {
  return (
    text !== null &&
    html`<details ${isOpen && html`open`}>
      <summary>${name}</summary>
      <pre dir="auto" tabindex="0">${text}</pre>
    </details>`
  );
}

function fact(name: string, value: string): Html | false {
  return (
    value !== '' &&
    html`<dt>${name}</dt>
      <dd dir="auto">${value}</dd>`
  );
}

/** Returns the envelope's recipients that are not in a header, such as blind copies. */
function blindRecipients({ to, envelope }: MailSummary): string {
  const shown = new Set(to.split(', ').map((recipient) => recipient.split(/[\s<>]+/).findLast((part) => part !== '')));
  return envelope.to.filter((address) => !shown.has(address)).join(', ');
}

function subjectOf({ subject }: MailSummary): string {
  return subject.trim() || 'No subject';
}

/** A dune above a wave. */
export const icon: Html = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="${palette.nightSoft}" />
  <circle cx="22.5" cy="9.5" r="3" fill="${palette.terracottaSoft}" />
  <path d="M3 20c6-.5 8.5-8 13-8 3.8 0 5.5 7.5 13 8v2H3z" fill="${palette.dune}" />
</svg>`;

/** Replaces the list when an email arrives. It keeps the scroll position, the focus and an open dialog. */
export const script = `
const list = document.querySelector('[data-list]');
const connection = document.querySelector('[data-connection]');
async function refresh() {
  const response = await fetch(location.href, { signal: AbortSignal.timeout(10000) });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const { innerHTML } = page.querySelector('[data-list]');
  if (innerHTML === list.innerHTML || list.querySelector(':popover-open')) return;
  const focused = list.contains(document.activeElement) && document.activeElement.getAttribute('href');
  const { scrollTop } = list;
  list.innerHTML = innerHTML;
  list.scrollTop = scrollTop;
  if (focused) list.querySelector('[href="' + CSS.escape(focused) + '"]')?.focus({ preventScroll: true });
}
async function poll() {
  const failed = document.hidden ? false : await refresh().then(() => false, () => true);
  connection.textContent = failed ? 'The inbox is unavailable. Trying again…' : '';
  setTimeout(poll, 2000);
}
setTimeout(poll, 2000);
`;

export const stylesheet = `
:root {
  color-scheme: light dark;
  --quiet: light-dark(${palette.slate}, color-mix(in srgb, ${palette.sandDeep} 72%, ${palette.slate}));
  --line: light-dark(${palette.sandDeep}, color-mix(in srgb, ${palette.slate} 55%, ${palette.night}));
  --chosen: light-dark(${palette.sand}, ${palette.nightSoft});
  --link: light-dark(${palette.teal}, ${palette.tealSoft});
}
* { box-sizing: border-box; }
body {
  margin: 0; height: 100dvh; display: grid; grid-template-rows: auto minmax(0, 1fr); overflow-wrap: anywhere;
  background: light-dark(${palette.paper}, ${palette.night}); color: light-dark(${palette.night}, ${palette.paper});
  font: 15px/1.5 system-ui, sans-serif;
}
header { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; padding: 10px 20px; background: ${palette.night}; color: ${palette.tealSoft}; }
header a { display: flex; align-items: center; gap: 10px; margin-right: auto; color: ${palette.paper}; font-weight: 650; text-decoration: none; }
main { display: grid; grid-template-columns: minmax(320px, 400px) minmax(0, 1fr); min-height: 0; }
section { padding: 8px 20px; overflow-y: auto; border-right: 1px solid var(--line); }
h1, h2 { margin: 8px 0; font-size: 20px; }
ol, ul { list-style: none; margin: 12px 0; padding: 0; }
a { color: var(--link); }
small { color: var(--quiet); }
.row { display: grid; margin: 0 -20px; padding: 10px 20px; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; }
.row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row:hover, .row[aria-current] { background: var(--chosen); }
.empty { margin: 48px auto; max-width: 46ch; text-align: center; color: var(--quiet); }
.empty strong { display: block; }
.back { display: none; }
dl { display: grid; grid-template-columns: 76px minmax(0, 1fr); gap: 3px 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
iframe { width: 100%; height: 70dvh; border: 1px solid var(--line); background: #fff; }
pre { overflow: auto; white-space: pre-wrap; }
[popover] { border: 1px solid var(--line); border-radius: 12px; }
@media (max-width: 820px) {
  main { grid-template-columns: minmax(0, 1fr); }
  .listing section + section, .reading section:first-child { display: none; }
  .back { display: inline; }
}
`;
