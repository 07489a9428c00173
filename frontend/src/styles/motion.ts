import { keyframes } from '@mui/material/styles';

/** Visitors who have not asked for less motion. */
export const motionAllowed = '@media (prefers-reduced-motion: no-preference)';

/** Browsers with scroll-driven animations. In the others, what follows the scroll position stays in place. */
export const scrollDriven = '@supports (animation-timeline: scroll())';

/** Starts fast and comes to rest slowly. */
export const settling = 'cubic-bezier(0.2, 0.7, 0.2, 1)';

const settles = keyframes({ from: { transform: 'scale(1.07)' } });

/**
 * A frame that clips a picture. The picture settles in it while it scrolls into view, and comes closer while the pointer
 * is on its card. Both run on the compositor, and the picture is visible throughout.
 */
export const pictureFrame = {
  overflow: 'hidden',
  [motionAllowed]: {
    '& > svg': { transition: `scale 600ms ${settling}` },
    '@media (hover: hover)': { 'li:hover > & > svg, article:hover > & > svg': { scale: '1.03' } },
    [scrollDriven]: {
      '& > svg': {
        animation: `${settles} linear both`,
        animationTimeline: 'view()',
        animationRange: 'entry 0% cover 45%',
      },
    },
  },
};
