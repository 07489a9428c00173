/** The bar is frosted while the page is scrolled further than this, in pixels (docs/PRODUCT.md, "Navigation bar"). */
export const frostedAfterScroll = 50;

/** The background of bars through which the page is visible while it is scrolled. */
export const frosted = {
  background: 'color-mix(in srgb, var(--dt-palette-background-default) 92%, transparent)',
  backdropFilter: 'blur(14px) saturate(1.4)',
} as const;
