/** What every page is measured by: how long it is, what moves while it loads, what is hard to press, and what it asks for. */
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** How far parts of the page have moved since it began, as the browser reckons it, and which: x, y, width and height before and after. */
    shifts: { value: number; what: string[] }[];
  }
}

type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Moved[] };
type Moved = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };

/** Runs in each page before its own scripts. */
export function watchShifts(): void {
  window.shifts = [];
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : (node?.parentElement ?? null);
    return element === null ? '?' : `${element.localName} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
  };
  const boxOf = ({ x, y, width, height }: DOMRect) => `${[x, y, width, height].map(Math.round)}`;
  const moveOf = ({ node, previousRect, currentRect }: Moved) =>
    `${nameOf(node)} from ${boxOf(previousRect)} to ${boxOf(currentRect)}`;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue;
      window.shifts.push({ value: entry.value, what: entry.sources.map(moveOf) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/**
 * The addresses that are read of the API. What was read before the stream stood is read again once it does, because the
 * stream tells of no change from before, so what stands on either side of that moment is counted by itself.
 */
export function watchReads(page: Page) {
  let reads: string[] = [];
  let moment = 0;
  page.on('websocket', (socket) => {
    socket.once('framereceived', () => {
      moment += 1;
    });
  });
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/v1/')) reads.push(`${moment} ${pathname}${search}`);
  });
  return {
    forget: () => {
      reads = [];
    },
    twice: () => [...new Set(reads.filter((read, nth) => reads.indexOf(read) !== nth))],
  };
}

/** Runs in the page: each control that a finger misses when it comes down less than 22 pixels from its middle. */
export function smallTargets(leastPx: number): string[] {
  const CONTROLS =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=slider], [role=option]';
  const missed: string[] = [];
  for (const control of document.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (control.closest('[inert], [aria-hidden=true]') !== null) continue;
    const label = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
    const parts = [control, ...label];
    const { left, right, top, bottom } = control.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) continue;
    // A link amid the words of a sentence is as high as its line.
    if (control.localName === 'a' && isAmidWords(control)) continue;
    control.scrollIntoView({ block: 'center', inline: 'center' });
    const box = control.getBoundingClientRect();
    // What the keyboard alone brings into sight.
    if (box.bottom <= 0) continue;
    const x = (box.left + box.right) / 2;
    const y = (box.top + box.bottom) / 2;
    const reach = leastPx / 2 - 1;
    const misses = [
      [x, y - reach],
      [x, y + reach],
      [x - reach, y],
      [x + reach, y],
    ].filter(([atX = 0, atY = 0]) => {
      const hit = document.elementFromPoint(atX, atY);
      return hit === null || !parts.some((part) => part.contains(hit));
    });
    if (misses.length > 0) {
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? '';
      missed.push(`${control.localName} “${name.slice(0, 30)}” ${Math.round(box.width)}×${Math.round(box.height)}`);
    }
  }
  // What a bar lies over halfway is covered there alone.
  window.scrollTo(0, 0);
  return missed;

  function isAmidWords(link: HTMLElement): boolean {
    if (getComputedStyle(link).display !== 'inline') return false;
    const words = [...(link.parentElement?.childNodes ?? [])].filter((node) => node instanceof Text);
    return words.some((node) => (node.textContent ?? '').trim() !== '');
  }
}
