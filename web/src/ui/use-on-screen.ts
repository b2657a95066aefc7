import { type RefCallback, useCallback, useState, useSyncExternalStore } from 'react';

/** Whether an element is on screen, or within `marginPx` of it, in a tab that is looked at. */
export function useOnScreen<Target extends Element>(
  marginPx = 200,
): { target: RefCallback<Target>; onScreen: boolean } {
  const [near, setNear] = useState(false);
  const shown = useSyncExternalStore(watchTab, isTabShown);
  const target = useCallback(
    (element: Target) => {
      const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
        rootMargin: `${marginPx}px`,
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [marginPx],
  );
  return { target, onScreen: near && shown };
}

function watchTab(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const isTabShown = () => document.visibilityState === 'visible';

/** As in the style sheets: below it a table is a card per row. */
const PHONE = '(max-width: 599px)';

/** Whether the window is as narrow as a phone's. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(watchWidth, isNarrow);
}

function watchWidth(listener: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

const isNarrow = () => matchMedia(PHONE).matches;
