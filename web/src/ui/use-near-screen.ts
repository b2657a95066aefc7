import { useEffect, useRef, useState } from 'react';

/** Whether the browser draws a row, or leaves it out because it is far from the screen; only rows of a long table ever are. */
export function useNearScreen(isInLongTable: boolean) {
  const row = useRef<HTMLTableRowElement>(null);
  const [isNear, setIsNear] = useState(true);
  useEffect(() => {
    const element = row.current;
    if (!isInLongTable || element === null) return;
    const note = (event: Event) =>
      setIsNear(!(event instanceof ContentVisibilityAutoStateChangeEvent && event.skipped));
    element.addEventListener('contentvisibilityautostatechange', note);
    return () => {
      element.removeEventListener('contentvisibilityautostatechange', note);
      setIsNear(true);
    };
  }, [isInLongTable]);
  return { row, isNear };
}
