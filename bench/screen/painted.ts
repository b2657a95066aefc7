/** How old a price is when it is painted in a list whose books change, and whether the row under the pointer stays. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, JSHandle, Page } from '@playwright/test';
import { quantile, say, tell } from '../rows.ts';
import { type Left, type MovingRow, moveRows, SOURCE } from './moving-list.ts';
import type { RunningProduct } from './product.ts';

const CHANGES = 800;
const REST_MS = 2000;
const FLOOR_TRIES = 100;
/** Among so many changes after the last one shown a painted value is looked for: fewer than half of those until one recurs. */
const LOOK_AHEAD = 45;
const COLUMN = 'Current Price';

/** A text that was painted in a row's watched cell, and when, by the machine's own clock. */
type Paint = { rowId: string; text: string; atMs: number };

/** `strangers`, `movedPx`: how many other rows came under the pointer, and how far its row moved at most. */
type Probe = { paints: Paint[]; strangers: number; movedPx: number };

/** The list is sorted by the price that changes, the pointer at rest on its fourth row. */
export async function measurePaints(product: RunningProduct, browser: Browser, rows: readonly MovingRow[]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } });
  await page.addInitScript((session) => localStorage.setItem('access_token', session), product.caller.token);
  await page.goto(`${product.url}/arbitrage?sortBy=current_price&q=${encodeURIComponent(SOURCE)}`);
  const cells = page.locator(`tbody td[data-label="${COLUMN}"]`);
  await cells
    .nth(rows.length - 1)
    .getByText('0.05')
    .waitFor();
  const own = await measurePaintFloor(page);
  const { x, y, height } = (await page.locator('tbody tr').nth(3).boundingBox()) ?? { x: 0, y: 0, height: 0 };
  const pointer = { x: x + 20, y: y + height / 2 };
  await page.mouse.move(pointer.x, pointer.y);
  const probe = await watchPaints(page, pointer);
  const left = await moveRows(product, rows, (nth) => nth < CHANGES);
  await pause(REST_MS);
  const { paints, strangers, movedPx } = await probe.jsonValue();
  const ages = agesOnScreen(left, paints);
  say(`  ${left.length} changes, ${paints.length} cells painted, p50 ${quantile(ages, 0.5).toFixed(0)} ms`);
  const question = 'frame to painted cell, 200 changes/s on ten rows';
  for (const [share, atMost] of [
    [0.95, 400],
    [0.99, 700],
  ] as const)
    tell({
      question: `${question}: p${share * 100}`,
      ...{ figure: quantile(ages, share), unit: 'ms', budget: { atMost } },
      floor: { figure: quantile(own, share), of: 'a page paints a change of its own' },
    });
  const still = { budget: { atMost: 0 } };
  tell({ question: `${question}: other rows under the pointer`, figure: strangers, unit: '', ...still });
  tell({ question: `${question}: its row moved by`, figure: movedPx, unit: 'px', ...still });
}

/**
 * How old each change was when the screen first showed it or a later one of its row, in ms; what never came to the
 * screen is infinitely old.
 */
function agesOnScreen(left: readonly Left[], paints: readonly Paint[]): number[] {
  const paintsOf = Map.groupBy(paints, ({ rowId }) => rowId);
  return [...Map.groupBy(left, ({ rowId }) => rowId)].flatMap(([rowId, changes]) => {
    const ages: number[] = [];
    for (const { text, atMs } of paintsOf.get(rowId) ?? []) {
      const next = changes.slice(ages.length, ages.length + LOOK_AHEAD);
      const shown = next.findIndex(({ value }) => text.endsWith(value));
      for (const change of next.slice(0, shown + 1)) ages.push(atMs - change.atMs);
    }
    return [...ages, ...changes.slice(ages.length).map(() => Number.POSITIVE_INFINITY)];
  });
}

/**
 * Notes every text painted in the cells of the column, and whether the row at the pointer stays: a change of the document counts as
 * painted when the frame that follows it has been.
 */
function watchPaints(page: Page, pointer: { x: number; y: number }): Promise<JSHandle<Probe>> {
  return page.evaluateHandle(
    ({ column, pointer }) => {
      const rowAtPointer = () => document.elementFromPoint(pointer.x, pointer.y)?.closest('tr');
      const rowIdOf = (node: Element | null | undefined) =>
        node?.closest('tr')?.querySelector('a[title]')?.getAttribute('title') ?? '';
      const heldId = rowIdOf(rowAtPointer());
      const heldTop = rowAtPointer()?.getBoundingClientRect().top ?? 0;
      const probe: Probe = { paints: [], strangers: 0, movedPx: 0 };
      let changed = new Map<string, string>();
      const afterPaint = new MessageChannel();
      const painting: Map<string, string>[] = [];
      afterPaint.port1.onmessage = () => {
        const atMs = Date.now();
        for (const [rowId, text] of painting.shift() ?? []) probe.paints.push({ rowId, text, atMs });
      };
      const frame = () => {
        painting.push(changed);
        changed = new Map();
        const row = rowAtPointer();
        if (rowIdOf(row) !== heldId) probe.strangers += 1;
        const top = row?.getBoundingClientRect().top ?? 0;
        probe.movedPx = Math.max(probe.movedPx, Math.abs(top - heldTop));
        afterPaint.port2.postMessage(null);
      };
      const observer = new MutationObserver((mutations) => {
        for (const { target } of mutations) {
          const element = target instanceof Element ? target : target.parentElement;
          const cell = element?.closest(`td[data-label="${column}"]`);
          if (!cell) continue;
          if (changed.size === 0) requestAnimationFrame(frame);
          changed.set(rowIdOf(cell), cell.textContent ?? '');
        }
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
      return probe;
    },
    { column: COLUMN, pointer },
  );
}

/** How long the machine takes to paint a text that a timer of the page itself has changed, each time. */
function measurePaintFloor(page: Page): Promise<number[]> {
  return page.evaluate(async (count) => {
    const text = document.body.appendChild(document.createElement('p'));
    const afterPaint = new MessageChannel();
    const tookMs: number[] = [];
    for (let nth = 0; nth < count; nth += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20 + ((nth * 7) % 17)));
      const start = performance.now();
      text.textContent = String(nth);
      await new Promise<void>((resolve) =>
        requestAnimationFrame(() => {
          afterPaint.port1.onmessage = () => resolve();
          afterPaint.port2.postMessage(null);
        }),
      );
      tookMs.push(performance.now() - start);
    }
    text.remove();
    return tookMs;
  }, FLOOR_TRIES);
}
