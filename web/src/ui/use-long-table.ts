import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** In a table with more rows than this, laying out the rows off screen takes longer than laying out the visible ones. */
const LONG_ROWS = 50;

export const isLong = (rowCount: number): boolean => rowCount > LONG_ROWS;

/**
 * Measures a long table once as a whole, so that the browser can then lay out each row alone and only near the screen.
 * `style`: the column widths as tracks of a grid, and the mean height of a row; `undefined` until measured, and for a short
 * table.
 */
export function useLongTable(rowCount: number) {
  const needsTracks = isLong(rowCount);
  const table = useRef<HTMLTableElement>(null);
  const [measured, setMeasured] = useState<CSSProperties>();
  useLayoutEffect(() => {
    if (needsTracks && measured === undefined && table.current !== null) setMeasured(measure(table.current));
  }, [needsTracks, measured]);
  useEffect(() => {
    const frame = table.current?.parentElement;
    if (!needsTracks || !frame) return;
    let widthPx = frame.clientWidth;
    const observer = new ResizeObserver(() => {
      if (frame.clientWidth !== widthPx) setMeasured(undefined);
      widthPx = frame.clientWidth;
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [needsTracks]);
  return { table, style: needsTracks ? measured : undefined };
}

function measure(table: HTMLTableElement): CSSProperties {
  const widthsPx = [...(table.tHead?.rows[0]?.cells ?? [])]
    .map((cell) => cell.getBoundingClientRect().width)
    // A hidden column has no track.
    .filter((widthPx) => widthPx > 0);
  const heightsPx = [...(table.tBodies[0]?.rows ?? [])].map((row) => row.offsetHeight);
  const rowHeightPx = heightsPx.reduce((sum, heightPx) => sum + heightPx, 0) / heightsPx.length;
  const tracks = widthsPx.map((widthPx) => `minmax(${widthPx}px, ${widthPx}fr)`).join(' ');
  const style: object = { '--tracks': tracks, '--row-height': `${rowHeightPx}px` };
  return style;
}
