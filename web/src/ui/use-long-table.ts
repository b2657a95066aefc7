import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** With more rows than this, what nobody sees of a table costs more than what somebody does. */
const LONG_ROWS = 50;

export const isLong = (rowCount: number): boolean => rowCount > LONG_ROWS;

type Measured = { tracks: string; tableWidthPx: number };

/**
 * What lets the rows of a long table lay themselves out, each by itself and only near the screen: the widths of its
 * columns, taken from the table as a whole, as tracks of a grid. `undefined` for a short table, and until they are taken.
 */
export function useLongTable(rowCount: number) {
  const takesTracks = isLong(rowCount);
  const table = useRef<HTMLTableElement>(null);
  const [measured, setMeasured] = useState<Measured>();
  useLayoutEffect(() => {
    if (takesTracks && measured === undefined && table.current !== null) setMeasured(measure(table.current));
  }, [takesTracks, measured]);
  useEffect(() => {
    if (!takesTracks || measured === undefined || table.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry?.contentRect.width !== measured.tableWidthPx) setMeasured(undefined);
    });
    observer.observe(table.current);
    return () => observer.disconnect();
  }, [takesTracks, measured]);
  return { table, tracks: takesTracks ? measured?.tracks : undefined };
}

function measure(table: HTMLTableElement): Measured {
  const widthsPx = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.getBoundingClientRect().width);
  return {
    tracks: widthsPx.map((widthPx) => `minmax(${widthPx}px, ${widthPx}fr)`).join(' '),
    tableWidthPx: table.getBoundingClientRect().width,
  };
}
