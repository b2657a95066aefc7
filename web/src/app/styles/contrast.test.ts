/** Every pair of a text's token and its ground's, in both themes: 4.5 to 1, as WCAG 2 AA asks of text, and 3 of icons. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LEAST = 4.5;
const LEAST_OF_ICONS = 3;
/** Of the icon of a list that is empty. */
const ICONS = ['accent on accent-soft'];
const SOURCE = join(import.meta.dirname, '../..');
const RULE = /\{([^{}]*)\}/g;
const TOKEN = /--([\w-]+):\s*(#[0-9a-f]{6})/g;

const tokensFile = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [light, dark] = [/:root \{([^}]*)\}/, /:root\.dark \{([^}]*)\}/].map((block) => {
  const [, body = ''] = block.exec(tokensFile) ?? [];
  return new Map([...body.matchAll(TOKEN)].map(([, name = '', colour = '']) => [name, colour]));
});
const THEMES = { light, dark } as { light: Map<string, string>; dark: Map<string, string> };

type Pair = readonly [text: string, ground: string];

const GROUNDS = ['canvas', 'surface', 'surface-raised'];
const TONES = ['success', 'warning', 'error', 'active', 'pending', 'inactive'];
const TEXTS = ['ink', 'ink-muted', 'accent', 'gain', 'loss', ...TONES.map((tone) => `${tone}-ink`)];

/** A text inherits its ground from whatever stands around it, and a tone its fill. */
const INHERITED: readonly Pair[] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground): Pair => [text, ground])),
  ...TONES.flatMap((tone): Pair[] => [`${tone}-ink`, 'ink'].map((text) => [text, `${tone}-fill`])),
  ...['accent-soft', 'tint-gain', 'tint-loss'].map((ground): Pair => ['ink', ground]),
  ['success-ink', 'accent-soft'],
];

/** The pairs of the rules that set both. */
function pairsOfRules(): Pair[] {
  const sheets = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  return sheets.flatMap((name) =>
    [...readFileSync(join(SOURCE, name), 'utf8').matchAll(RULE)].flatMap(([, rule = '']): Pair[] => {
      const text = /(?:^|[\s;])color: var\(--([\w-]+)\)/.exec(rule)?.[1];
      const ground = /background(?:-color)?: var\(--([\w-]+)\)/.exec(rule)?.[1];
      return text !== undefined && ground !== undefined && THEMES.light.has(text) && THEMES.light.has(ground)
        ? [[text, ground]]
        : [];
    }),
  );
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

test('reckons contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

test('finds the pairs of rules', () => {
  expect(pairsOfRules()).toContainEqual(['ink', 'canvas']);
});

test.each(['light', 'dark'] as const)('every text of the %s theme stands out from its ground', (theme) => {
  const colours = new Map([...THEMES.light, ...THEMES[theme]]);
  const faint = [...INHERITED, ...pairsOfRules()].flatMap(([text, ground]) => {
    const ratio = contrast(colours.get(text) ?? '', colours.get(ground) ?? '');
    const pair = `${text} on ${ground}`;
    const least = ICONS.includes(pair) ? LEAST_OF_ICONS : LEAST;
    return ratio >= least ? [] : [`${pair}: ${ratio.toFixed(2)}`];
  });
  expect(faint).toEqual([]);
});
