import type { Ink } from '../../brand.ts';
import type { Box } from '../shapes.ts';
import type { Shape } from '../art.ts';
import { filled, rect } from '../shapes.ts';

/** The frame of every case study, in 4:3. */
export const frame = { width: 800, height: 600 } as const;

export const frameBox: Box = { x: 0, y: 0, ...frame };

/** Fills the frame with a background colour. */
export const backdrop = (ink: Ink): Shape => filled(ink, rect(0, 0, frame.width, frame.height));
