/**
 * A tab that was open while the product was updated asks for pieces of a build that is gone: it loads the new page. Not
 * where the piece is missing for another reason, as without a network, so that no page reloads again and again.
 * `entryUrl` is the script with which the running page began; its name changes with every build.
 */
export function reloadWhenReplaced(entryUrl: string): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // The router takes the browser's own words for an update, and would reload at once, also without a network.
    payload.message = `Code of the page was not fetched: ${payload.message}`;
    void isReplaced(new URL(entryUrl).pathname).then((replaced) => replaced && location.reload());
  });
}

async function isReplaced(entryPath: string): Promise<boolean> {
  try {
    const page = await fetch('/', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(entryPath);
  } catch {
    return false;
  }
}
