import { palette } from '@dune-tide/domain/brand';

type Colour =
  'ground' | 'surface' | 'raised' | 'hover' | 'chosen' | 'line' | 'text' | 'quiet' | 'accent' | 'link' | 'onAccent';

const light: Record<Colour, string> = {
  ground: palette.paper,
  surface: palette.white,
  raised: palette.white,
  hover: palette.sand,
  chosen: palette.sand,
  line: palette.sandDeep,
  text: palette.night,
  quiet: palette.slate,
  accent: palette.terracotta,
  link: palette.teal,
  onAccent: palette.white,
};

const dark: Record<Colour, string> = {
  ground: palette.night,
  surface: `color-mix(in srgb, ${palette.nightSoft} 45%, ${palette.night})`,
  raised: palette.nightSoft,
  hover: `color-mix(in srgb, ${palette.nightSoft} 70%, ${palette.night})`,
  chosen: palette.nightSoft,
  line: `color-mix(in srgb, ${palette.slate} 55%, ${palette.night})`,
  text: palette.paper,
  quiet: `color-mix(in srgb, ${palette.sandDeep} 72%, ${palette.slate})`,
  accent: palette.terracottaSoft,
  link: palette.tealSoft,
  onAccent: palette.night,
};

function variables(colours: Record<Colour, string>): string {
  return Object.entries(colours)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

/** The look of the inbox, in the studio's inks, light and dark. */
export const stylesheet = `
:root { color-scheme: light dark; ${variables(light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }

*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; height: 100dvh; display: grid; grid-template-rows: auto minmax(0, 1fr);
  background: var(--ground); color: var(--text);
  font: 15px/1.5 -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', system-ui, sans-serif;
}
h1, h2, p, ol, ul, dl, dd { margin: 0; padding: 0; }
ol, ul { list-style: none; }
a { color: var(--link); }
code, .mail-source { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.icon { width: 18px; height: 18px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.quiet { color: var(--quiet); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.bar { display: flex; align-items: center; gap: 14px; padding: 10px 20px; background: ${palette.night}; color: ${palette.paper}; border-bottom: 1px solid ${palette.nightSoft}; }
.brand { display: flex; align-items: center; gap: 10px; color: inherit; text-decoration: none; font-weight: 650; letter-spacing: 0.01em; white-space: nowrap; }
.brand img { display: block; }
.bar-note { color: ${palette.dune}; font-size: 13px; white-space: nowrap; }
.connection { margin-left: auto; color: ${palette.terracottaSoft}; font-size: 13px; }
.bar-address { color: ${palette.tealSoft}; font-size: 13px; white-space: nowrap; }
.bar :focus-visible { outline-color: ${palette.terracottaSoft}; }

main { display: grid; grid-template-columns: minmax(320px, 400px) minmax(0, 1fr); min-height: 0; }
.list { display: flex; flex-direction: column; min-height: 0; min-width: 0; border-right: 1px solid var(--line); }
.reader { display: flex; flex-direction: column; min-height: 0; min-width: 0; overflow-y: auto; background: var(--surface); }

.list-head { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 56px; padding: 10px 12px 10px 20px; border-bottom: 1px solid var(--line); }
.list-head :is(h1, h2) { font-size: 17px; font-weight: 650; }
.count { margin-left: 6px; color: var(--quiet); font-weight: 450; font-variant-numeric: tabular-nums; }

.button { display: inline-flex; align-items: center; gap: 6px; min-height: 34px; padding: 5px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--text); font: inherit; font-size: 14px; text-decoration: none; white-space: nowrap; cursor: pointer; }
.button:hover { background: var(--hover); }
.quiet-button { border-color: transparent; background: none; color: var(--quiet); }
.quiet-button:hover { color: var(--text); }
.danger { border-color: transparent; background: var(--accent); color: var(--onAccent); font-weight: 600; }
.danger:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
.confirm { inset: 116px auto auto 40px; width: 320px; max-width: calc(100vw - 48px); padding: 18px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--text); box-shadow: 0 12px 40px rgb(0 0 0 / 0.25); }
.confirm form { display: flex; justify-content: flex-end; gap: 8px; margin-top: 14px; }

.rows { flex: 1; min-height: 0; overflow-y: auto; overflow-anchor: none; scrollbar-width: thin; }
.row { position: relative; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 1px 12px; padding: 12px 20px; border-bottom: 1px solid var(--line); color: var(--text); text-decoration: none; }
.row:hover { background: var(--hover); }
.row:focus-visible { outline-offset: -3px; border-radius: 6px; }
.row[aria-current] { background: var(--chosen); }
.row[aria-current]::before { content: ''; position: absolute; inset: 0 auto 0 0; width: 3px; background: var(--accent); }
.row > span, .row-from { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row-to { font-weight: 620; }
.row-time { align-self: center; color: var(--quiet); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.row-subject, .row-preview, .row-facts { grid-column: 1 / -1; }
.row-preview { color: var(--quiet); font-size: 13.5px; }
.row-facts { display: flex; align-items: center; gap: 10px; margin-top: 3px; color: var(--quiet); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.row-from { flex: 1; min-width: 0; }
.row-clip { display: inline-flex; align-items: center; gap: 2px; color: var(--link); }
.row-clip .icon { width: 15px; height: 15px; }
.new .row { animation: arrive 1.6s ease-out; }
@keyframes arrive { from { background: color-mix(in srgb, var(--accent) 22%, var(--ground)); } }
@media (prefers-reduced-motion: reduce) { .new .row { animation: none; } }

.empty { padding: 56px 32px; text-align: center; color: var(--quiet); text-wrap: balance; }
.empty strong { display: block; margin-bottom: 4px; color: var(--text); font-size: 16px; }
.pager { display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; gap: 8px; padding: 10px 12px; border-top: 1px solid var(--line); color: var(--quiet); font-size: 13px; font-variant-numeric: tabular-nums; }
.pager .button { justify-self: start; }
.pager .button:last-child { justify-self: end; }

.placeholder { margin: auto; max-width: 46ch; padding: 32px; text-align: center; color: var(--quiet); text-wrap: balance; }
.placeholder img { border-radius: 18px; margin-bottom: 18px; }
.placeholder h2 { margin-bottom: 6px; color: var(--text); font-size: 19px; font-weight: 620; }
.placeholder code { color: var(--text); white-space: nowrap; }

.mail { display: flex; flex-direction: column; flex: 1 0 auto; }
.mail-head { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 10px 20px; padding: 22px 28px 16px; }
.mail-head h1 { font-size: 23px; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; text-wrap: pretty; }
.mail-head > .button { align-self: start; }
.back { display: none; }
.facts { grid-column: 1 / -1; display: grid; gap: 3px; font-size: 14px; }
.facts > div { display: grid; grid-template-columns: 76px minmax(0, 1fr); }
.facts dt { color: var(--quiet); }
.facts dd { overflow-wrap: anywhere; max-height: 6em; overflow-y: auto; }
.facts .quiet { white-space: nowrap; }
.attachments { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 8px; margin-top: 4px; }
.attachments li { display: flex; max-width: 100%; border: 1px solid var(--line); border-radius: 10px; background: var(--ground); overflow: hidden; }
.attachment { display: flex; align-items: center; gap: 8px; min-width: 0; padding: 8px 12px; color: var(--text); font-size: 14px; text-decoration: none; }
.attachment .icon { color: var(--accent); }
.attachment-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 560; }
.attachment .quiet { font-size: 12.5px; white-space: nowrap; }
.attachment-save { display: flex; align-items: center; padding: 0 10px; border-left: 1px solid var(--line); color: var(--quiet); }
.attachment:hover, .attachment-save:hover { background: var(--hover); color: var(--text); }
.attachments :focus-visible { outline-offset: -3px; border-radius: 10px; }

.tabs { display: flex; gap: 4px; padding: 0 22px; border-bottom: 1px solid var(--line); }
.tabs a { padding: 9px 8px; margin: 0 2px -1px; border-bottom: 2px solid transparent; color: var(--quiet); font-size: 14px; text-decoration: none; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { border-color: var(--accent); color: var(--text); font-weight: 600; }
.mail-frame, .mail-text { flex: 1 0 0; min-height: min(420px, 70dvh); }
.mail-frame { width: 100%; border: 0; }
.mail-text { margin: 0; padding: 22px 28px; overflow: auto; font: inherit; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
.mail-text:not(.mail-source) { max-width: calc(72ch + 56px); }
.mail-source { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 13px; }
.mail-text:focus-visible { outline-offset: -3px; }

@media (max-width: 820px) {
  main { grid-template-columns: minmax(0, 1fr); }
  .listing .reader, .reading .list { display: none; }
  .list { border-right: 0; }
  .bar { flex-wrap: wrap; gap: 0 14px; padding: 10px 16px; }
  .brand { margin-right: auto; }
  .connection { order: 1; flex-basis: 100%; margin: 0; }
  .bar-note { display: none; }
  .list-head { padding-left: 16px; }
  .row { padding: 12px 16px; }
  .mail-head { grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 8px 16px 12px; }
  .back { display: inline-flex; align-items: center; gap: 4px; min-height: 34px; justify-self: start; grid-row: 1; text-decoration: none; }
  .mail-head > .button { grid-row: 1; justify-self: end; }
  .mail-head { grid-template-columns: 1fr auto; }
  .mail-head h1 { grid-column: 1 / -1; font-size: 19px; }
  .facts > div { grid-template-columns: 80px minmax(0, 1fr); }
  .attachment-type { display: none; }
  .tabs { padding: 0 8px; }
  .mail-text { padding: 16px; }
}
`;
