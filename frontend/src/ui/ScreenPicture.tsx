import type { Screen, ScreenText } from '@dune-tide/domain/art/art';
import { styled, useTheme } from '@mui/material/styles';
import { inkColour, screenStyles } from '../styles/palette-variables.ts';
import { type ArtFit, ArtPicture } from './ArtPicture.tsx';

const LitPicture = styled(ArtPicture)(screenStyles);

/** A drawing of a product's screen with the texts on it. */
export function ScreenPicture({ screen, fit }: { readonly screen: Screen; readonly fit?: ArtFit }) {
  return (
    <LitPicture art={screen} {...(fit && { fit })}>
      {screen.texts.map((text) => (
        <Text key={`${text.x} ${text.y} ${text.text}`} {...text} />
      ))}
    </LitPicture>
  );
}

function Text({ text, x, y, size, ink, face, anchor }: ScreenText) {
  const { typography } = useTheme();
  const isDisplay = face === 'display';
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      textAnchor={anchor}
      style={{
        fill: inkColour(ink),
        fontFamily: isDisplay ? typography.h1.fontFamily : typography.fontFamily,
        fontWeight: isDisplay ? typography.h1.fontWeight : face === 'bold' ? 600 : 400,
      }}
    >
      {text}
    </text>
  );
}
