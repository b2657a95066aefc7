import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { UNUSED, UNUSED_COLOURS } from '../../without-unused-plugin.ts';

const SOURCE = join(import.meta.dirname, '..');

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|css)$/.test(name) && !name.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));

it('no page shows a part of a component that the build leaves out', () => {
  const names = Object.entries(UNUSED).flatMap(([component, parts]) => parts.map((part) => `<${component}.${part}`));
  const shown = sources.flatMap(({ file, text }) => {
    const words = new Set(text.split(/[\s>/]/));
    return names.filter((name) => words.has(name)).map((name) => `${file}: ${name}`);
  });
  expect(sources.length).toBeGreaterThan(300);
  expect(shown).toEqual([]);
});

it('no page asks for an arrow, which the build leaves out', () => {
  expect(sources.filter(({ text }) => /\bwithArrow\b/.test(text)).map(({ file }) => file)).toEqual([]);
});

it('toasts are not dragged, which the build leaves out', () => {
  const dragging = sources.filter(
    ({ text }) => text.includes('<Notifications') && !text.includes('allowDragDismiss={false}'),
  );
  expect(dragging).toEqual([]);
  expect(sources.filter(({ text }) => /\buseDrag\b/.test(text)).map(({ file }) => file)).toEqual([]);
});

it('no page names a colour that the build leaves out', () => {
  const named = sources.flatMap(({ file, text }) =>
    UNUSED_COLOURS.filter((colour) => text.includes(`color="${colour}`) || text.includes(`color: '${colour}`))
      .concat(UNUSED_COLOURS.filter((colour) => text.includes(`--mantine-color-${colour}-`)))
      .map((colour) => `${file}: ${colour}`),
  );
  expect(named).toEqual([]);
});
