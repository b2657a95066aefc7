import { useLocation } from '@tanstack/react-router';
import { use, useEffect, useRef } from 'react';
import { PanelAround } from '../../ui/panel.tsx';

/** Where the address names one of these anchors, what carries the mark comes into sight with the focus in it: its card may be there later than the page. */
export function useMeant(...anchors: readonly string[]) {
  const place = useRef<HTMLDivElement>(null);
  const isMeant = useLocation({ select: ({ hash }) => anchors.includes(hash) });
  const { isOpened, open } = use(PanelAround);
  const isDone = useRef(false);
  useEffect(() => {
    if (!isMeant) isDone.current = false;
    if (!isMeant || isDone.current) return;
    if (!isOpened) return open();
    isDone.current = true;
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, [isMeant, isOpened, open]);
  return place;
}
