import { useCallback, useState } from 'react';

type Asked<About> = { about: About; opened: boolean };

/** The dialog that a row's menu asks for; what it is about stays while it fades away. */
export function useAsked<About>() {
  const [asked, setAsked] = useState<Asked<About>>();
  const ask = useCallback((about: About) => setAsked({ about, opened: true }), []);
  const close = useCallback(() => setAsked((known) => known && { ...known, opened: false }), []);
  return { asked, ask, close };
}
