import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import styles from './chart-canvas.module.css';
import { type ChartAxis, type ChartDrawing, type ThemeColour, takesSeconds, timeTick } from './chart-drawing.ts';

const FONT = '11px Inter, system-ui, sans-serif';
const LABEL_LINE_PX = 15;
const DOT_PX = 4;

type ChartCanvasProps = {
  drawing: ChartDrawing;
  /** Told which x the pointer stands at, or null when it has left. */
  onPoint: (index: number | null) => void;
  /** Told which x was clicked at. */
  onPick?: ((x: number) => void) | undefined;
};

/** Draws with uPlot, in the colours of the theme and at the width there is. Its lines keep their order and names. */
export function ChartCanvas({ drawing, onPoint, onPick }: ChartCanvasProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef(drawing);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  }, [onPick]);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const begin = () => {
      const drawn = new uPlot(
        optionsOf(element, () => latest.current, onPoint),
        dataOf(latest.current),
        element,
      );
      drawn.over.addEventListener('click', () => {
        const x = drawn.cursor.idx == null ? undefined : latest.current.x[drawn.cursor.idx];
        if (x !== undefined) pick.current?.(x);
      });
      plot.current = drawn;
    };
    let beginning: ReturnType<typeof setTimeout> | undefined;
    // It gets the first size as well, once the page has been laid out: asked for before, that would be done at once.
    const resized = new ResizeObserver(() => {
      plot.current?.setSize(sizeOf(element));
      beginning ??= setTimeout(begin);
    });
    resized.observe(element);
    return () => {
      resized.disconnect();
      clearTimeout(beginning);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [onPoint]);
  useEffect(() => {
    latest.current = drawing;
    plot.current?.setData(dataOf(drawing));
    // A name above the plot that was not there before takes room there.
    plot.current?.redraw(false, true);
  }, [drawing]);
  useEffect(() => {
    if (scheme !== undefined) plot.current?.redraw();
  }, [scheme]);
  return <div ref={place} className={styles.place} aria-hidden="true" />;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement) {
  return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
}

function dataOf({ x, lines }: ChartDrawing): uPlot.AlignedData {
  return [[...x], ...lines.map(({ values }) => [...values])];
}

function optionsOf(
  element: HTMLElement,
  read: () => ChartDrawing,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const { xKind, lines, right } = read();
  const sides = right === undefined ? (['left'] as const) : (['left', 'right'] as const);
  return {
    ...sizeOf(element),
    ms: 1,
    padding: [() => roomForNames(read()), right === undefined ? 28 : null, null, null],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: xKind === 'time', range: () => [...read().xRange] },
      left: { range: () => [...read().left.range] },
      ...(right === undefined ? {} : { right: { range: () => [...(read().right?.range ?? [0, 1])] } }),
    },
    axes: [xAxis(xKind), ...sides.map((side) => yAxis(side, read))],
    series: [{}, ...lines.map((line) => lineSeries(line, read().shape))],
    hooks: {
      draw: [(u) => drawMarks(u, read())],
      setCursor: [({ cursor }) => onPoint((cursor.left ?? -1) < 0 ? null : (cursor.idx ?? null))],
    },
  };
}

/** The names of the verticals stand above the plot, each on a line of its own, so that they hide nothing. */
function roomForNames({ verticals = [] }: ChartDrawing): number {
  return 10 + verticals.length * LABEL_LINE_PX;
}

function lineSeries({ axis, colour, dashed }: ChartDrawing['lines'][number], shape: ChartDrawing['shape']) {
  const paths = shape === 'steps' ? uPlot.paths.stepped?.({ align: 1, alignGaps: 1 }) : uPlot.paths.linear?.();
  return {
    scale: axis,
    stroke: () => themeColour(colour),
    width: 1.75,
    points: { show: false },
    ...(dashed ? { dash: [5, 4] } : {}),
    ...(paths === undefined ? {} : { paths }),
  };
}

const lines = {
  font: FONT,
  stroke: () => themeColour('--ink-muted'),
  grid: { stroke: () => themeColour('--line'), width: 1 },
  ticks: { stroke: () => themeColour('--line'), width: 1, size: 4 },
} as const;

function xAxis(kind: ChartDrawing['xKind']): uPlot.Axis {
  return {
    ...lines,
    size: 30,
    gap: 4,
    space: (_plot, _axis, low, high) => (kind !== 'time' ? 72 : takesSeconds(high - low) ? 84 : 64),
    values: (_plot, ticks, _axis, _space, increment) => ticks.map((tick) => xTick(kind, tick, increment)),
  };
}

function xTick(kind: ChartDrawing['xKind'], tick: number, increment: number): string {
  if (kind === 'time') return timeTick(tick, increment);
  return kind === 'hour' ? `${tick}:00` : `${tick.toLocaleString('en-US')} sh`;
}

function yAxis(side: 'left' | 'right', read: () => ChartDrawing): uPlot.Axis {
  return {
    ...lines,
    scale: side,
    side: side === 'left' ? 3 : 1,
    size: (_plot, texts) => 14 + 6.4 * Math.max(...(texts ?? ['']).map((text) => text.length)),
    gap: 4,
    space: 36,
    grid: { ...lines.grid, show: side === 'left' },
    values: (_plot, ticks, _axis, _space, increment) => {
      const axis: ChartAxis | undefined = read()[side];
      return ticks.map((tick) => axis?.format(tick, decimalsOf(increment)) ?? '');
    },
  };
}

/** 2.5 takes one, 0.02 takes two. */
function decimalsOf(increment: number): number {
  const fraction = Number(increment.toFixed(6)).toString().split('.')[1];
  return fraction?.length ?? 0;
}

function drawMarks(u: uPlot, { verticals = [], dots = [], left }: ChartDrawing): void {
  const { ctx, bbox } = u;
  const overhang = (DOT_PX + 2) * uPlot.pxRatio;
  const [low, high] = left.range;
  if (low < 0 && high > 0) drawLine(u, '--line-strong', [bbox.left, u.valToPos(0, 'left', true)], [bbox.width, 0], []);
  for (const [index, vertical] of verticals.entries()) drawVertical(u, vertical, verticals.length - index);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width + overhang, bbox.height);
  ctx.clip();
  for (const dot of dots) drawDot(u, dot);
  ctx.restore();
}

type Vertical = NonNullable<ChartDrawing['verticals']>[number];

/** `linesUp`: how many lines above the plot its name stands. */
function drawVertical(u: uPlot, { x, label, colour }: Vertical, linesUp: number): void {
  const { ctx, bbox } = u;
  const ratio = uPlot.pxRatio;
  const atX = u.valToPos(x, 'x', true);
  drawLine(u, colour, [atX, bbox.top], [0, bbox.height], [3 * ratio, 3 * ratio]);
  ctx.font = FONT.replace(/^11px/, `${11 * ratio}px`);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  ctx.fillStyle = themeColour(colour);
  const name = `↓ ${label}`;
  const farthest = ctx.canvas.width - ctx.measureText(name).width;
  // Its tip stands on the line, unless the name would leave the canvas.
  const textX = Math.min(atX - 4 * ratio, farthest);
  ctx.fillText(name, textX, bbox.top - (linesUp * LABEL_LINE_PX + 2) * ratio);
}

function drawDot(u: uPlot, { x, y, colour }: NonNullable<ChartDrawing['dots']>[number]): void {
  const { ctx } = u;
  ctx.beginPath();
  ctx.arc(u.valToPos(x, 'x', true), u.valToPos(y, 'left', true), DOT_PX * uPlot.pxRatio, 0, 2 * Math.PI);
  ctx.fillStyle = themeColour(colour);
  ctx.fill();
  ctx.lineWidth = 1.5 * uPlot.pxRatio;
  ctx.strokeStyle = themeColour('--surface');
  ctx.stroke();
}

type Pair = readonly [number, number];

function drawLine({ ctx }: uPlot, colour: ThemeColour, [x, y]: Pair, [width, height]: Pair, dash: number[]): void {
  ctx.beginPath();
  ctx.setLineDash(dash);
  ctx.lineWidth = uPlot.pxRatio;
  ctx.strokeStyle = themeColour(colour);
  ctx.moveTo(x, y);
  ctx.lineTo(x + width, y + height);
  ctx.stroke();
  ctx.setLineDash([]);
}

function themeColour(name: ThemeColour): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
