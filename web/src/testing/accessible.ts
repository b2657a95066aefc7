/** What every screen is held to: axe, and a phone's width. */
import axe, { type RunOptions } from 'axe-core';
import { expect } from 'vitest';
import { commands } from 'vitest/browser';
import { onDesk, onPhone } from './screen.tsx';

/** Most of what axe costs; colours do not depend on the width of a window. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const ONLY_COLOURS: RunOptions = { runOnly: { type: 'rule', values: COLOUR_RULES } };
const ALL_BUT_COLOURS: RunOptions = {
  rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
};

/**
 * Zero violations of any axe rule, best practices included, of what is on screen now: in light and in dark on a desk, and
 * on a phone, where nothing may stand beyond the right edge either.
 */
export async function expectAccessible(what: string): Promise<void> {
  await expectNoViolations(`${what} in light`);
  await prefer('dark');
  await expectNoViolations(`${what} in dark`, ONLY_COLOURS);
  await prefer('light');
  await onPhone();
  await expect.poll(pixelsBeyondTheEdge, { message: `${what}: pixels beyond the right edge` }).toBe(0);
  await expectNoViolations(`${what} on a phone`, ALL_BUT_COLOURS);
  await onDesk();
}

async function prefer(scheme: 'light' | 'dark'): Promise<void> {
  await commands.prefer(scheme);
  const { documentElement } = document;
  // Mantine follows the system as well, in its own time.
  await expect
    .poll(() => [documentElement.className, documentElement.dataset.mantineColorScheme])
    .toEqual([scheme, scheme]);
  // Colours are those of the scheme once a frame has been drawn in it.
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}

async function expectNoViolations(what: string, chosen: RunOptions = {}): Promise<void> {
  await expect.poll(movements, { message: 'movements that have not come to an end' }).toBe(0);
  await expect.poll(dialogsToBeNamed, { message: 'dialogs whose title is not there' }).toBe(0);
  // Only a rule that is off reads the styles ahead, which takes each sheet apart once more.
  const options: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] }, ...chosen };
  const { violations } = await axe.run(document, options);
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`).join(', ')}`,
  );
  expect.soft(found, what).toEqual([]);
}

/** What fades in has the contrast of a ghost until it is there; what moves for ever is not waited for. */
function movements(): number {
  const running = document.getAnimations().filter(({ playState }) => playState === 'running');
  return running.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY).length;
}

/** Mantine names a dialog after its title a moment after it has opened; one without a title is told of by axe. */
function dialogsToBeNamed(): number {
  const titled = [...document.querySelectorAll('[role="dialog"]')].filter((dialog) => dialog.querySelector('h2'));
  return titled.filter((dialog) => !dialog.hasAttribute('aria-labelledby')).length;
}

/** How far something of the page stands beyond the right edge of the window. */
export function pixelsBeyondTheEdge(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}
