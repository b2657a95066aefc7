/** What every screen is held to: axe, a phone's width, and the fonts that the product ships. */
import axe, { type ElementContext, type Result, type RunOptions } from 'axe-core';
import { expect, inject } from 'vitest';
import { commands } from 'vitest/browser';
import { onDesk, onPhone } from './screen.tsx';
import { expectShippedFonts } from './shipped-fonts.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether axe measures the contrast of texts on each screen, or `contrast.test.ts` alone that of their tokens. */
    contrastOnScreens: boolean;
    /** A commit's hash, by which axe looks at each state on a desk or on a phone; at both where it is null. */
    axeByCommit: string | null;
  }
}

/** Four fifths of what axe costs; colours do not depend on the width of a window. */
const CONTRAST = 'color-contrast';
const COLOUR_RULES = [CONTRAST, 'link-in-text-block'];
const ONLY_COLOURS: RunOptions = {
  runOnly: { type: 'rule', values: COLOUR_RULES },
  resultTypes: ['violations', 'passes'],
  elementRef: true,
};
const ALL_BUT_COLOURS: RunOptions = {
  rules: {
    ...Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])),
    // Experimental, so off unless it is asked for: who speaks to the page says what is written on a button.
    'label-content-name-mismatch': { enabled: true },
  },
};

/** How texts look of which axe has found the contrast to be enough, in any file that this page has run. */
const legible = new Set<string>();

/**
 * Zero violations of any axe rule, best practices included, of what is on screen now: in light and in dark on a desk, and
 * on a phone, where nothing may stand beyond the right edge either. For each change it is one of the two widths.
 */
export async function expectAccessible(what: string): Promise<void> {
  const width = widthFor(what);
  await expectStill();
  await expectShippedFonts(what);
  if (width === 'desk' || width === 'both') await expectNoViolations(`${what} in light`, document, ALL_BUT_COLOURS);
  if (inject('contrastOnScreens')) await expectLegibleInBoth(what);
  await onPhone();
  await expect.poll(pixelsBeyondTheEdge, { message: `${what}: pixels beyond the right edge` }).toBe(0);
  await expectStill();
  if (width === 'phone' || width === 'both') await expectNoViolations(`${what} on a phone`, document, ALL_BUT_COLOURS);
  await onDesk();
}

/** For half of the states one width, always the same one for a commit. */
function widthFor(what: string): 'desk' | 'phone' | 'both' | 'neither' {
  const commit = inject('axeByCommit');
  if (commit === null) return 'both';
  const sum = [...`${commit} ${what}`].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
  return (['desk', 'phone'] as const)[sum % 4] ?? 'neither';
}

async function expectLegibleInBoth(what: string): Promise<void> {
  await expectLegible(`${what} in light`);
  await prefer('dark');
  await expectStill();
  await expectLegible(`${what} in dark`);
  await prefer('light');
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

async function expectStill(): Promise<void> {
  await expect.poll(movements, { message: 'movements that have not come to an end' }).toBe(0);
  await expect.poll(dialogsToBeNamed, { message: 'dialogs whose title is not there' }).toBe(0);
}

/**
 * The rules about colour, for each text that looks like none that has passed them: most of a table looks like its first row.
 * Links are held against the text around them each time.
 */
async function expectLegible(what: string): Promise<void> {
  const looks = textsByLook();
  const fresh = [...looks].flatMap(([look, texts]) => (legible.has(look) ? [] : texts));
  const include = [
    ...fresh,
    ...document.querySelectorAll<HTMLElement>(':is(p, li, dd, td, label, [role=alert]) a[href]'),
  ];
  if (include.length === 0) return;
  const passes = await expectNoViolations(what, { include }, ONLY_COLOURS);
  const passed = new Set(passes.find(({ id }) => id === CONTRAST)?.nodes.map(({ element }) => element));
  for (const [look, texts] of looks) if (texts.some((text) => passed.has(text))) legible.add(look);
}

async function expectNoViolations(what: string, where: ElementContext, chosen: RunOptions): Promise<Result[]> {
  // Only a rule that is off reads the styles ahead, which takes each sheet apart once more.
  const options: RunOptions = { resultTypes: ['violations'], preload: { assets: ['media'] }, ...chosen };
  const { violations, passes } = await axe.run(where, options);
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`).join(', ')}`,
  );
  expect.soft(found, what).toEqual([]);
  return passes;
}

/** The elements with a text of their own, by all that its contrast depends on. */
function textsByLook(): Map<string, HTMLElement[]> {
  const grounds = new Map<Element, string>();
  const groundOf = (element: Element | null): string => {
    if (element === null) return '';
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element);
    const own = `${backgroundColor} ${backgroundImage} ${opacity} ${position}`;
    const above = groundOf(element.parentElement);
    const ground = own === PLAIN ? above : `${above}>${own}`;
    grounds.set(element, ground);
    return ground;
  };
  return Map.groupBy([...document.body.querySelectorAll<HTMLElement>('*')].filter(hasText), (element) => {
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element);
    return `${color} ${fontSize} ${fontWeight} ${textDecorationLine} ${textShadow} ${groundOf(element)}`;
  });
}

/** The ground of an element through which one sees what is behind it. */
const PLAIN = 'rgba(0, 0, 0, 0) none 1 static';

function hasText(element: Element): boolean {
  if (element.matches('input, select, textarea')) return true;
  return [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
}

/** What fades in has the contrast of a ghost until it is there; what moves for ever is not waited for. */
function movements(): number {
  const running = document.getAnimations().filter(({ playState }) => playState === 'running');
  return running.filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY).length;
}

/** Mantine names a dialog after its title a moment after it has opened; one without a title is reported by axe. */
function dialogsToBeNamed(): number {
  const titled = [...document.querySelectorAll('[role="dialog"]')].filter((dialog) => dialog.querySelector('h2'));
  return titled.filter((dialog) => !dialog.hasAttribute('aria-labelledby')).length;
}

/** How far something of the page stands beyond the right edge of the window. */
export function pixelsBeyondTheEdge(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}
