import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Where the address names the setting, it comes into sight with the focus in it: its card may be there later than the page. */
export function useMeant(name: string) {
  const place = useRef<HTMLDivElement>(null);
  const isMeant = useLocation({ select: ({ hash }) => hash === name });
  useEffect(() => {
    if (!isMeant) return;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, [isMeant]);
  return place;
}
