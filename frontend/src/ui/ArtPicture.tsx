import type { Art } from '@dune-tide/domain/art/art';
import { styled } from '@mui/material/styles';
import { memo, type ReactNode } from 'react';
import { inkColour } from '../styles/palette-variables.ts';

const Picture = styled('svg')({
  display: 'block',
  width: '100%',
  height: 'auto',
  '&[data-fit]': { height: '100%' },
  // The background continues over the whole box, which clips it.
  '&[data-fit^="whole"]': { overflow: 'visible' },
});

/** The way in which a picture fills its box, unless it keeps its own aspect ratio. */
export type ArtFit = keyof typeof fits;

const fits = {
  /** Fills the box and is cropped on both sides. */
  cover: 'xMidYMid slice',
  /** Shows the whole frame, with the drawing's bleed around it. */
  whole: 'xMidYMid meet',
  /** Shows the whole frame at the right edge of the box. */
  wholeFromRight: 'xMaxYMid meet',
} as const;

interface ArtPictureProps {
  readonly art: Art;
  readonly fit?: ArtFit;
  /** Whether the text beside it has the same content, so that screen readers skip it. */
  readonly decorative?: boolean;
  readonly className?: string;
  /** Elements above the shapes. */
  readonly children?: ReactNode;
}

/** A drawing of the domain as an inline SVG. Its space is reserved before it is painted. */
export const ArtPicture = memo(function ArtPicture({
  art,
  fit,
  decorative = false,
  className,
  children,
}: ArtPictureProps) {
  const naming = decorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': art.alt };
  return (
    <Picture
      {...naming}
      className={className}
      data-fit={fit}
      viewBox={`0 0 ${art.width} ${art.height}`}
      width={art.width}
      height={art.height}
      preserveAspectRatio={fit && fits[fit]}
      focusable="false"
    >
      {art.shapes.map((shape, index) => (
        <path
          // oxlint-disable-next-line react/no-array-index-key -- the shapes of a drawing never change places
          key={index}
          d={shape.d}
          style={{
            fill: shape.fill ? inkColour(shape.fill) : 'none',
            stroke: shape.stroke ? inkColour(shape.stroke) : 'none',
          }}
          strokeWidth={shape.strokeWidth}
          strokeDasharray={shape.dash?.join(' ')}
          strokeLinejoin="round"
          strokeLinecap="round"
          opacity={shape.opacity}
        />
      ))}
      {children}
    </Picture>
  );
});
