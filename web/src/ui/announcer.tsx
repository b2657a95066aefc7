import { useEffect, useRef, useState } from 'react';

/** Live text is read out at most this often. */
const INTERVAL_MS = 5_000;

/** Reads `text` out to screen readers when it changes, politely and not too often. */
export function Announcer({ text }: { text: string }) {
  const [spoken, setSpoken] = useState('');
  const first = useRef(text);
  const lastMs = useRef(0);
  useEffect(() => {
    if (text === first.current || text === spoken) return;
    const delayMs = Math.max(0, lastMs.current + INTERVAL_MS - Date.now());
    const timer = setTimeout(() => {
      lastMs.current = Date.now();
      setSpoken(text);
    }, delayMs);
    return () => clearTimeout(timer);
  }, [text, spoken]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {spoken}
    </p>
  );
}
