import { brand } from '@dune-tide/domain/brand';
import { html } from '@dune-tide/platform/html';
import type { Html } from '@dune-tide/platform/html';
import { backIcon, clipIcon, downloadIcon, fileIcon, trashIcon } from './icons.ts';
import type { MailPage } from './mail-store.ts';
import type { AttachmentSummary, MailContent, MailSummary } from './mail.ts';

/** What every page shows around the mail. */
export interface View {
  readonly smtpUrl: string;
  readonly revision: string;
  readonly page: MailPage;
  readonly pageSize: number;
  readonly selected: MailSummary | undefined;
}

export type Tab = 'html' | 'text' | 'headers';

const locale = 'en-US';
const clockTime = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' });
const shortDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const fullTime = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium', hourCycle: 'h23' });
const count = new Intl.NumberFormat(locale);

/** The inbox with no mail chosen. */
export function startPage(view: View): Html {
  return frame(
    view,
    'Inbox',
    'listing',
    html`<div class="placeholder">
      <img src="/assets/icon.svg" alt="" width="72" height="72" />
      <h2>No mail chosen</h2>
      <p>Everything that is sent to <code>${view.smtpUrl}</code> is kept here. Nothing is delivered to anyone.</p>
    </div>`,
  );
}

/** The answer to an address that leads nowhere. */
export function notFoundPage(view: View): Html {
  return frame(
    view,
    'Not found',
    'reading',
    html`<div class="placeholder">
      <h2>There is no such mail</h2>
      <p>It may have been deleted. <a href="/">Back to the inbox</a></p>
    </div>`,
  );
}

/** The inbox with one mail open. */
export function readingPage(view: View, mail: MailSummary, content: MailContent, tab: Tab): Html {
  const subject = subjectOf(mail);
  return frame(
    view,
    subject,
    'reading',
    html`<article class="mail" aria-labelledby="subject">
      <header class="mail-head">
        <a class="back" href="${backAddress(view)}">${backIcon} Inbox</a>
        <h1 id="subject" dir="auto">${subject}</h1>
        <a class="button" href="/api/messages/${mail.id}/raw" download>${downloadIcon} Download .eml</a>
        <dl class="facts">
          ${fact('From', mail.from)} ${fact('To', mail.to)} ${fact('Envelope', blindRecipients(mail))}
          <div>
            <dt>Received</dt>
            <dd>
              <time datetime="${mail.receivedAt}">${fullTime.format(new Date(mail.receivedAt))}</time>
              <span class="quiet">${formatSize(mail.size)}</span>
            </dd>
          </div>
        </dl>
        ${
          mail.attachments.length > 0 &&
          html`<ul class="attachments" aria-label="Attachments">
            ${mail.attachments.map((attachment, number) => attachmentItem(mail, attachment, number))}
          </ul>`
        }
      </header>
      <nav class="tabs" aria-label="Parts of this mail">
        ${content.html !== null && tabLink(mail, tab, 'html', 'HTML')}
        ${content.text !== null && tabLink(mail, tab, 'text', 'Plain text')} ${tabLink(mail, tab, 'headers', 'Headers')}
      </nav>
      ${mailBody(mail, content, tab)}
    </article>`,
  );
}

/** The list of mails with its heading and its pages. The list's script asks for it anew when there is new mail. */
export function listPane({ page, pageSize, selected }: View): Html {
  const title = html`Inbox <span class="count">${count.format(page.total)}</span>`;
  return html`<div class="list-head">
      ${selected === undefined ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`}
      ${
        page.total > 0 &&
        html`<button class="button quiet-button" type="button" popovertarget="delete-all">
            ${trashIcon} Delete all
          </button>
          <div class="confirm" id="delete-all" popover>
            <p>Delete ${page.total === 1 ? 'the mail' : `all ${count.format(page.total)} mails`} for good?</p>
            <form method="post" action="/delete-all">
              <button class="button" type="button" popovertarget="delete-all">Keep</button>
              <button class="button danger" type="submit">Delete all</button>
            </form>
          </div>`
      }
    </div>
    <div class="rows" data-rows>
      ${
        page.mails.length === 0
          ? html`<p class="empty"><strong>No mail yet</strong>It appears here by itself as soon as it comes in.</p>`
          : html`<ol>
              ${page.mails.map((mail) => row(mail, mail.id === selected?.id))}
            </ol>`
      }
    </div>
    ${page.total > pageSize && pager(page, pageSize)}`;
}

function row(mail: MailSummary, isSelected: boolean): Html {
  const attachments = mail.attachments.length;
  return html`<li data-id="${mail.id}">
    <a class="row" href="/messages/${mail.id}" ${isSelected && html`aria-current="true"`}>
      <span class="row-to" dir="auto">${mail.to || 'No recipient'}</span>
      <time class="row-time" datetime="${mail.receivedAt}">${formatTime(mail.receivedAt)}</time>
      <span class="row-subject" dir="auto">${subjectOf(mail)}</span>
      <span class="row-preview" dir="auto">${mail.preview}</span>
      <span class="row-facts">
        <span class="row-from" dir="auto">${mail.from}</span>
        ${
          attachments > 0 &&
          html`<span class="row-clip"
            >${clipIcon}${attachments}<span class="unseen"> attachment${attachments > 1 && 's'}</span></span
          >`
        }
        <span>${formatSize(mail.size)}</span>
      </span>
    </a>
  </li>`;
}

function pager(page: MailPage, pageSize: number): Html {
  const number = pageNumber(page, pageSize);
  const first = page.offset + 1;
  const last = page.offset + page.mails.length;
  return html`<nav class="pager" aria-label="Pages">
    ${number > 1 ? html`<a class="button" href="/?page=${number - 1}">Newer</a>` : html`<span></span>`}
    <span
      >${page.mails.length > 0 && `${count.format(first)}–${count.format(last)} of `}${count.format(page.total)}</span
    >
    ${last < page.total ? html`<a class="button" href="/?page=${number + 1}">Older</a>` : html`<span></span>`}
  </nav>`;
}

function frame(view: View, title: string, mode: 'listing' | 'reading', reader: Html): Html {
  const { page, pageSize, selected } = view;
  const source = selected === undefined ? `/list?page=${pageNumber(page, pageSize)}` : `/list?selected=${selected.id}`;
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
      <body class="${mode}">
        <header class="bar">
          <a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28" />${brand.name}</a>
          <span class="bar-note">Local mail, caught and kept</span>
          <span class="connection" role="status" data-connection></span>
          <code class="bar-address">${view.smtpUrl}</code>
        </header>
        <main>
          <section class="list" aria-label="Mails" data-list="${source}" data-revision="${view.revision}">
            ${listPane(view)}
          </section>
          <section class="reader" aria-label="Mail">${reader}</section>
        </main>
      </body>
    </html>`;
}

function mailBody(mail: MailSummary, content: MailContent, tab: Tab): Html {
  if (tab === 'html' && content.html !== null) {
    return html`<iframe
      class="mail-frame"
      title="The mail as the recipient sees it"
      src="/messages/${mail.id}/html"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerpolicy="no-referrer"
    ></iframe>`;
  }
  // Not indented: whitespace inside would be shown.
  if (tab === 'headers') return html`<pre class="mail-text mail-source" tabindex="0">${content.headers}</pre>`;
  return html`<pre class="mail-text" dir="auto" tabindex="0">${content.text ?? 'This mail has no plain text.'}</pre>`;
}

function attachmentItem(mail: MailSummary, attachment: AttachmentSummary, number: number): Html {
  const address = `/messages/${mail.id}/attachments/${number}`;
  return html`<li>
    <a class="attachment" href="${address}" target="_blank">
      ${fileIcon}<span class="attachment-name" dir="auto">${attachment.filename}</span>
      <span class="quiet"
        ><span class="attachment-type">${attachment.contentType} · </span>${formatSize(attachment.size)}</span
      >
    </a>
    <a class="attachment-save" href="${address}?download" aria-label="Download ${attachment.filename}"
      >${downloadIcon}</a
    >
  </li>`;
}

function tabLink(mail: MailSummary, current: Tab, tab: Tab, label: string): Html {
  const address = tab === 'html' ? `/messages/${mail.id}` : `/messages/${mail.id}/${tab}`;
  return html`<a href="${address}" ${tab === current && html`aria-current="page"`}>${label}</a>`;
}

/** A shorter value fits its place on every screen. */
const scrollsFrom = 50;

function fact(name: string, value: string): Html | false {
  return (
    value !== '' &&
    html`<div>
      <dt>${name}</dt>
      <dd dir="auto" ${value.length >= scrollsFrom && html`tabindex="0"`}>${value}</dd>
    </div>`
  );
}

/** Recipients of the envelope that no header names, as blind copies have them. */
function blindRecipients(mail: MailSummary): string {
  const shown = new Set(
    mail.to.split(', ').map((recipient) => recipient.split(/[\s<>]+/).findLast((part) => part !== '')),
  );
  return mail.envelope.to.filter((address) => !shown.has(address)).join(', ');
}

function backAddress({ page, pageSize }: View): string {
  const number = pageNumber(page, pageSize);
  return number === 1 ? '/' : `/?page=${number}`;
}

function pageNumber(page: MailPage, pageSize: number): number {
  return Math.floor(page.offset / pageSize) + 1;
}

function subjectOf(mail: MailSummary): string {
  return mail.subject.trim() || 'No subject';
}

function formatTime(iso: string): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date().toDateString();
  return isToday ? clockTime.format(time) : shortDay.format(time);
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
