/** The surface of the bars that a scrolled page shines through. */
export const frosted = {
  background: 'color-mix(in srgb, var(--dt-palette-background-default) 92%, transparent)',
  backdropFilter: 'blur(14px) saturate(1.4)',
} as const;
