import { useEffect } from 'react';

let front = '';
let page = '';

/** What the titles of all pages begin with. */
export function setTitleFront(text: string): void {
  front = text;
  document.title = `${front}${page} · Dutchbook`;
}

/** What the tab of the browser calls the page. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    page = title;
    setTitleFront(front);
  }, [title]);
}
