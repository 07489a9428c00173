import { encode } from 'uqr';

/** The quiet zone of a QR code, in modules (ISO/IEC 18004). */
const border = 4;

/** A QR code. It is dark on white also in the dark mode, because some apps cannot read light on dark. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { border, ecc: 'M' });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing without a file
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={196}
      height={196}
      shapeRendering="crispEdges"
      style={{ display: 'block', maxWidth: '100%', borderRadius: 8, background: '#fff', forcedColorAdjust: 'none' }}
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
