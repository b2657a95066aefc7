import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Where the address names one of these anchors, what carries the mark comes into sight with the focus in it: its card may be there later than the page. */
export function useMeant(...anchors: readonly string[]) {
  const place = useRef<HTMLDivElement>(null);
  const isMeant = useLocation({ select: ({ hash }) => anchors.includes(hash) });
  useEffect(() => {
    if (!isMeant) return;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, [isMeant]);
  return place;
}
