import type { JSHandle, Page } from '@playwright/test';

/** A text that was painted in a row's watched cell, and when, by the machine's own clock. */
export type Paint = { rowId: string; text: string; atMs: number };

/** What was seen of the row under the pointer: how many others came there, and how far it moved at most. */
export type Hold = { strangers: number; movedPx: number };

type Probe = { paints: Paint[]; hold: Hold };

/**
 * Notes every text painted in the cells under the heading `column`, and whether the row at the pointer stays: a change
 * of the document counts as painted when the frame that follows it has been.
 */
export function watchPaints(page: Page, column: string, pointer: { x: number; y: number }): Promise<JSHandle<Probe>> {
  return page.evaluateHandle(
    ({ column, pointer }) => {
      const rowIdOf = (node: Node | null) => {
        const row = (node instanceof Element ? node : node?.parentElement)?.closest('tr');
        return row?.querySelector('a[title]')?.getAttribute('title') ?? '';
      };
      const held = document.elementFromPoint(pointer.x, pointer.y)?.closest('tr');
      const heldId = rowIdOf(held ?? null);
      const heldTop = held?.getBoundingClientRect().top ?? 0;
      const probe = { paints: [] as Paint[], hold: { strangers: 0, movedPx: 0 } };
      const notePointer = () => {
        const row = document.elementFromPoint(pointer.x, pointer.y)?.closest('tr');
        if (rowIdOf(row ?? null) !== heldId) probe.hold.strangers += 1;
        const movedPx = Math.abs((row?.getBoundingClientRect().top ?? 0) - heldTop);
        probe.hold.movedPx = Math.max(probe.hold.movedPx, movedPx);
      };
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
        notePointer();
        afterPaint.port2.postMessage(null);
      };
      const observer = new MutationObserver((mutations) => {
        for (const { target } of mutations) {
          const cell = (target instanceof Element ? target : target.parentElement)?.closest(
            `td[data-label="${column}"]`,
          );
          if (!cell) continue;
          if (changed.size === 0) requestAnimationFrame(frame);
          changed.set(rowIdOf(cell), cell.textContent ?? '');
        }
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
      return probe;
    },
    { column, pointer },
  );
}

/** How long the machine takes to paint a text that a timer of the page itself has changed, `times` over. */
export function measurePaintFloor(page: Page, times: number): Promise<number[]> {
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
  }, times);
}
