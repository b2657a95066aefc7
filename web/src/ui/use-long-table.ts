import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** With more rows than this, the hidden part of a table costs more than the visible one. */
const LONG_ROWS = 50;

export const isLong = (rowCount: number): boolean => rowCount > LONG_ROWS;

/**
 * What lets the rows of a long table lay themselves out, each by itself and only near the screen: the widths of its
 * columns, taken from the table as a whole, as tracks of a grid, and how high a row is. `undefined` for a short table, and
 * until they are taken.
 */
export function useLongTable(rowCount: number) {
  const takesTracks = isLong(rowCount);
  const table = useRef<HTMLTableElement>(null);
  const [measured, setMeasured] = useState<CSSProperties>();
  useLayoutEffect(() => {
    if (takesTracks && measured === undefined && table.current !== null) setMeasured(measure(table.current));
  }, [takesTracks, measured]);
  useEffect(() => {
    const frame = table.current?.parentElement;
    if (!takesTracks || !frame) return;
    let widthPx = frame.clientWidth;
    const observer = new ResizeObserver(() => {
      if (frame.clientWidth !== widthPx) setMeasured(undefined);
      widthPx = frame.clientWidth;
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [takesTracks]);
  return { table, style: takesTracks ? measured : undefined };
}

function measure(table: HTMLTableElement): CSSProperties {
  const widthsPx = [...(table.tHead?.rows[0]?.cells ?? [])]
    .map((cell) => cell.getBoundingClientRect().width)
    // A column that is left out has no track.
    .filter((widthPx) => widthPx > 0);
  const heightsPx = [...(table.tBodies[0]?.rows ?? [])].map((row) => row.offsetHeight);
  const rowHeightPx = heightsPx.reduce((sum, heightPx) => sum + heightPx, 0) / heightsPx.length;
  const tracks = widthsPx.map((widthPx) => `minmax(${widthPx}px, ${widthPx}fr)`).join(' ');
  const style: object = { '--tracks': tracks, '--row-height': `${rowHeightPx}px` };
  return style;
}
