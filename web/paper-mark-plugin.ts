import type { Plugin } from 'vite';

/** Where `npm run dev` finds the product. */
export const PRODUCT_URL = 'http://127.0.0.1:8000';

const MARK = '__PAPER_FILLS__';

/** The server writes into the page whether it is of paper trading; in development the page asks the one of the product that runs. */
export const paperMark: Plugin = {
  name: 'paper-mark',
  apply: 'serve',
  transformIndexHtml: async (html) => html.replaceAll(MARK, fillsIn(await pageOf(PRODUCT_URL))),
};

/** The fill model that a page of the product names; empty where nothing is on paper. */
function fillsIn(page: string): string {
  return /<meta name="paper-fills" content="(touch|latency|survival)"/.exec(page)?.[1] ?? '';
}

async function pageOf(url: string): Promise<string> {
  try {
    return await (await fetch(url)).text();
  } catch {
    // Nothing runs there yet: calls fail, and say so.
    return '';
  }
}
