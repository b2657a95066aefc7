import { encode } from 'uqr';

const SIZE_PX = 200;
/** Light around it, without which cameras do not find it. */
const BORDER = 2;

/** `text` for a camera: dark on light in either theme, since many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg role="img" aria-label={label} width={SIZE_PX} height={SIZE_PX} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="white" />
      <path d={dark.join('')} fill="black" shapeRendering="crispEdges" />
    </svg>
  );
}
