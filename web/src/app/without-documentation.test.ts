import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { forPages } from '../../without-documentation-plugin.ts';

const words = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll(/,? ([})])/g, ' $1');

it('leaves fields of replies that are called as a property of an endpoint', () => {
  const code = `export const read = endpoint({
    path: '/things', tag, summary: 'Read things', refusals: [notFound('Thing not found')],
    query: z.object({ heavy: described('Whether.', z.boolean()) }),
    reply: z.object({ summary: described('In a sentence.', z.string()), tag: explained(MEANINGS, kind), stops: usd }),
  });`;
  expect(words(forPages(code, 'contract/src/things.ts'))).toBe(
    words(`export const read = endpoint({
      path: '/things',
      query: z.object({ heavy: z.boolean() }),
      reply: z.object({ summary: z.string(), tag: kind, stops: usd })
    });`),
  );
});

it('leaves what a sign-off is about, and not what its calls say', () => {
  const id = new URL('../../../contract/src/sign-offs.ts', import.meta.url);
  const code = readFileSync(id, 'utf8');
  const built = forPages(code, 'contract/src/sign-offs.ts');
  expect(code).toMatch(/summary: described\(/);
  expect(built).toContain('summary: z.string()');
  expect(built).not.toMatch(/summary: '|described\(|refusals:/);
});
