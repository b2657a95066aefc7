/** The whole product as `npm start` runs it, and a browser that shows it. */

import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import { startByReadme } from '@dutchbook/e2e/browser/started-product.ts';
import { findBrowser } from '@dutchbook/tools/test/browser.ts';
import { type Browser, chromium } from '@playwright/test';
import { callerOf } from '../product.ts';

export async function openStartedProduct(variables: Record<string, string> = {}) {
  const started = await startByReadme({ API_DOCUMENT: 'at_start', ...variables });
  const { url, caller, stop } = started;
  return {
    ...started,
    call: callerOf(`${url}${API_PREFIX}`, `Bearer ${caller.token}`),
    [Symbol.asyncDispose]: stop,
  };
}

export type RunningProduct = Awaited<ReturnType<typeof openStartedProduct>>;

/** The machine's own Chromium, without a sandbox, which it refuses to set up for root. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('There is no Chromium here: BROWSER_PATH may name one.');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
