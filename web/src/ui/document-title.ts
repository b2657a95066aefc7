import { useEffect } from 'react';

let count = 0;
let front = '';
let page = '';

function write(): void {
  document.title = `${count > 0 ? `(${count}) ` : ''}${front}${page} · Dutchbook`;
}

/** What the titles of all pages begin with. */
export function setTitleFront(text: string): void {
  front = text;
  write();
}

/** How much needs a person, before all else: a tab shows the first letters of its title. */
export function setTitleCount(needs: number): void {
  count = needs;
  write();
}

/** What the tab of the browser calls the page. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    page = title;
    write();
  }, [title]);
}
