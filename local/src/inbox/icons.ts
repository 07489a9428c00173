import { palette } from '@dune-tide/domain/brand';
import { html } from '@dune-tide/platform/html';
import type { Html } from '@dune-tide/platform/html';

/** A dune above a wave: the mark in the corner and in the browser's tab. */
export const icon: Html = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="8" fill="${palette.nightSoft}" />
  <circle cx="22.5" cy="9.5" r="3" fill="${palette.terracottaSoft}" />
  <path d="M3 20c6-.5 8.5-8 13-8 3.8 0 5.5 7.5 13 8v2H3z" fill="${palette.dune}" />
  <path
    d="M3 22.5q3.25-2.5 6.5 0t6.5 0 6.5 0 6.5 0V25q-3.25 2.5-6.5 0t-6.5 0-6.5 0-6.5 0z"
    fill="${palette.tealSoft}"
  />
</svg>`;

function line(path: string): Html {
  return html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${path}" /></svg>`;
}

export const clipIcon = line(
  'M14.5 9.5 9.3 14.7a3 3 0 0 1-4.3-4.3l6-6a2 2 0 0 1 2.9 2.9l-5.9 5.9a1 1 0 0 1-1.5-1.5l5-5',
);
export const fileIcon = line('M5.5 2.5h6l3.5 3.5v11.5h-9.5zM11.5 2.5V6H15');
export const downloadIcon = line('M10 3v9.5m-3.8-3.7L10 12.5l3.8-3.7M4 16.5h12');
export const backIcon = line('M12 4.5 6.5 10l5.5 5.5');
export const trashIcon = line('M4 5.5h12M8 5.5v-2h4v2M5.5 5.5l.8 11h7.4l.8-11M8.5 8.5v5M11.5 8.5v5');
