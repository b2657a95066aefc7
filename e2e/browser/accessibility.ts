/** What every screen is held to: axe, a phone's width, and use without a pointer. */
import { expect, type Locator, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

export const PHONE = { width: 390, height: 844 };
declare global {
  interface Window {
    axe: typeof axe;
  }
}

const TABS_MAX = 60;
/** Most of what axe costs; colours do not depend on the width of a window. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const ONLY_COLOURS: RunOptions = { runOnly: { type: 'rule', values: COLOUR_RULES } };
const ALL_BUT_COLOURS: RunOptions = {
  rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
};
/** The rule about the size of targets is off in axe unless it is asked for. */
export const WITH_TARGET_SIZE: RunOptions = { rules: { 'target-size': { enabled: true } } };

/**
 * Zero violations of any axe rule, best practices included, of what is on screen now: in light and, where the theme follows
 * the system as it does by default, in dark, where only the rules about colour can find anything new.
 */
export async function expectAccessible(page: Page, what: string) {
  await expectNoViolations(page, `${what} in light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveClass('dark');
  await expectNoViolations(page, `${what} in dark`, ONLY_COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveClass('light');
}

/** `expectAccessible` at the window's width and at a phone's, where nothing may reach beyond the right edge. */
export async function expectAccessibleEverywhere(page: Page, what: string) {
  await expectAccessible(page, what);
  const { width, height } = page.viewportSize() ?? PHONE;
  await page.setViewportSize(PHONE);
  await expectNoSidewaysScroll(page, what);
  await expectNoViolations(page, `${what} on a phone`, ALL_BUT_COLOURS);
  await page.setViewportSize({ width, height });
}

export async function expectNoViolations(page: Page, what: string, chosen: RunOptions = {}) {
  await expect.poll(() => page.evaluate(countMovements), 'movements that have not come to an end').toBe(0);
  // Half a megabyte, so each document is given it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // Only a rule that is off reads the styles ahead, which takes each sheet apart once more.
  const options: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] }, ...chosen };
  expect.soft(await page.evaluate(findViolations, options), what).toEqual([]);
}

/** Runs in the page: each rule that is broken, and where. */
async function findViolations(options: RunOptions): Promise<string[]> {
  const { violations } = await window.axe.run(document, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** What fades in has the contrast of a ghost until it is there; what moves for ever is not waited for. */
function countMovements(): number {
  const movements = document.getAnimations().filter(({ playState }) => playState === 'running');
  return movements.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY).length;
}

/** Nothing of the page stands beyond the right edge of the window. */
async function expectNoSidewaysScroll(page: Page, what: string) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft(beyond, `${what}: pixels beyond the right edge`).toBe(0);
}

/** Presses Tab until `target` has the focus, so that the keyboard alone reaches it. */
export async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeAttached();
  for (let pressed = 0; pressed < TABS_MAX; pressed += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${TABS_MAX} presses of Tab do not lead to ${target}`);
}

/** Goes to `target` by the keyboard and presses Enter on it. */
export async function activate(page: Page, target: Locator) {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** Arrows lead to an entry of the menu that is open, and Enter chooses it. */
export async function chooseByArrows(page: Page, name: string) {
  const entry = page.getByRole('menuitem', { name });
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    await expect(entry).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('Enter');
}
