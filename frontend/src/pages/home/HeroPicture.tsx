import type { HeroLayer, HeroLayers } from '@dune-tide/domain/art/hero';
import { keyframes, styled } from '@mui/material/styles';
import { ArtPicture } from '../../ui/ArtPicture.tsx';
import { motionAllowed, scrollDriven, settling } from '../../styles/motion.ts';

/**
 * How far a layer moves: sideways with the pointer, in pixels, and to the right and down while the first screen scrolls
 * away, in percent. The sun sets, the dunes sink behind each other and the tide goes out.
 */
const ways: Record<HeroLayer['name'], readonly [pointer: number, aside: number, down: number]> = {
  sun: [14, 0, 17],
  land: [-5, 0, 5],
  tide: [-9, 2.5, 3],
  glitter: [9, 1.5, 3],
  front: [-15, 0, 0],
};

const moves = keyframes({ to: { transform: 'translate(var(--aside), var(--down))' } });

/** Two waves run up the shore when the page opens. They end within five seconds (WCAG 2.2.2). */
const laps = keyframes({ '50%': { transform: 'translateX(1.6%)' } });

const Layers = styled('div')({
  display: 'grid',
  '& > *': { gridArea: '1 / 1', minWidth: 0 },
  [motionAllowed]: {
    '& > *': {
      // Beyond the window's edges, so that a layer can move sideways.
      scale: '1.03',
      transformOrigin: '50% 100%',
      transition: `translate 900ms ${settling}`,
    },
    '& > .tide svg': { animation: `${laps} 2.4s ease-in-out 2` },
    [scrollDriven]: {
      '& > *': {
        animation: `${moves} linear both`,
        animationTimeline: 'scroll(root)',
        animationRange: '0 100vh',
      },
    },
  },
});

/**
 * Moves the layers of the hero's pictures. Only the compositor has to work: no custom property is inherited, and nothing
 * is painted again.
 * @param x - the pointer's position, from -1 at the left edge of the window to 1
 */
export function followPointer(hero: HTMLElement, x: number): void {
  for (const [name, [reach]] of Object.entries(ways)) {
    for (const layer of hero.querySelectorAll<HTMLElement>(`.${name}`)) layer.style.translate = `${x * reach}px`;
  }
}

/** The studio's picture in layers, which follow scrolling and the pointer. */
export function HeroPicture({ layers }: { readonly layers: HeroLayers }) {
  return (
    <Layers>
      {layers.map(({ name, art }, index) => {
        const [, aside, down] = ways[name];
        return (
          <div
            key={name}
            className={name}
            style={{ '--aside': `${aside}%`, '--down': `${down}%` } as React.CSSProperties}
          >
            <ArtPicture art={art} decorative={index > 0} />
          </div>
        );
      })}
    </Layers>
  );
}
