import { findBrowser } from '@dutchbook/tools/test/browser.ts';
import { type Browser, chromium, type LaunchOptions } from '@playwright/test';

/** The machine's own Chromium; throws where there is none. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch(options());
}

/** Without a sandbox, which Chromium refuses to set up for root. */
function options(args: readonly string[] = []): LaunchOptions {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('There is no Chromium here: BROWSER_PATH may name one.');
  return { executablePath, args: ['--no-sandbox', ...args] };
}
