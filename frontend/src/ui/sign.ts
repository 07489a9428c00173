/** The studio's logo, a sun over dunes and a wave, in a box of 34 by 26. The wordmark and the link previews draw it. */
export const sign = {
  sun: { cx: 25, cy: 7, r: 4.5 },
  dunes: 'M0 17C5 7 10 4 14 5.500c5 2 7.500 8.500 20 10.500v2c-7 .5-11-.5-15-2.500-5-2.500-11-2-19 3z',
  wave: 'M1 23c4-3 7-3 10.500-.800s7 2.300 10.500 0 7-2.200 11-.200',
  waveWidth: 2.5,
} as const;
