import { useEffect } from 'react';

let [word, page] = ['', ''];

function show(): void {
  document.title = [word, page, 'Dutchbook'].filter((part) => part !== '').join(' · ');
}

/** What the tab of the browser calls the page. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    page = title;
    show();
  }, [title]);
}

/** What the titles of all pages begin with, while there is something. */
export function useTitleWord(shown: string): void {
  useEffect(() => {
    word = shown;
    show();
    return () => {
      word = '';
      show();
    };
  }, [shown]);
}
