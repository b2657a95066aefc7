import { type Endpoint, endpoint } from '@dutchbook/contract/endpoint.ts';
import { described, explained } from '@dutchbook/contract/notes/described.ts';
import { usd } from '@dutchbook/contract/quantities.ts';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type Document, documentOf, unexplainedIn } from './document.fixture.ts';
import { everyEndpoint } from './every-endpoint.fixture.ts';

type Parts = { query?: z.ZodMiniType; body?: z.ZodMiniType; reply: z.ZodMiniType } & Partial<Endpoint>;
const tried = { method: 'POST', path: '/tried', access: 'viewer', tag: 'Tried', summary: 'Tried' } as const;
const call = (parts: Parts): Endpoint => endpoint({ ...tried, ...parts });

type Answer = { description: string; content: Record<string, { schema: unknown; examples?: unknown }> };

function answersOf(document: Document): Record<string, Answer> {
  return document.paths['/api/v1/tried']?.post?.responses as Record<string, Answer>;
}

describe('the document of all calls', () => {
  it('says what each field and value means, and lists refusals by their status', async () => {
    const calls = await everyEndpoint();
    expect(calls.length).toBeGreaterThan(150);
    expect(unexplainedIn(await documentOf(calls))).toEqual([]);
  });

  it('is found wanting for a field, a parameter or a value that nothing is said of', async () => {
    const document = await documentOf([
      call({
        query: z.object({ colour: z.optional(z.string()) }),
        body: z.object({ weight: z.nullable(usd) }),
        reply: z.object({
          list: described('The list.', z.array(z.object({ depth: usd }))),
          size: described('Which size.', z.enum(['s', 'm'])),
        }),
      }),
    ]);
    Object.assign(answersOf(document), { '4XX': { description: 'Refused' } });
    const problems = unexplainedIn(document).map((problem) => problem.split(/(?<=schema): |\/tried:? /).at(-1));
    expect(problems).toEqual([
      'answers 4XX',
      'weight has no description',
      expect.stringContaining('colour has no description'),
      expect.stringContaining('depth has no description'),
      expect.stringContaining('values without a meaning: ["s","m"]'),
    ]);
  });
});

describe('the document of a call', () => {
  it('says of a field what it is, how it is encoded and what its values mean', async () => {
    const size = explained({ s: 'small', m: 'medium' }, z.enum(['s', 'm']));
    const reply = z.object({
      price: described('What it costs.', z.nullable(usd)),
      sizes: described('Which sizes there are.', z.array(size)),
    });
    const answers = answersOf(await documentOf([call({ reply })]));
    expect(answers['200']?.content['application/json']?.schema).toMatchObject({
      properties: {
        price: { description: 'What it costs. US dollars, a number with at most six decimals.' },
        sizes: {
          description: 'Which sizes there are.\n\n- `s`: small\n- `m`: medium',
          items: { enum: ['s', 'm'], 'x-enum-descriptions': ['small', 'medium'] },
        },
      },
    });
  });

  it('lists what it may answer instead: what follows from how it is declared, and its own', async () => {
    const refusals = [{ status: 404, when: 'There is none.', detail: 'Thing not found' }];
    const described = { reply: z.object({}), access: 'superuser', asksVenue: true, refusals } as const;
    const answers = answersOf(await documentOf([call(described)]));
    expect(Object.keys(answers)).toEqual(['200', '400', '401', '403', '404', '409', '429', '500', '503']);
    expect(answers['404']).toMatchObject({
      description: 'There is none.',
      content: { 'application/json': { examples: { 'There is none.': { value: { detail: 'Thing not found' } } } } },
    });
    expect(answers['403']?.description).toContain('The caller is not a superuser.');
    expect(answers['429']).toMatchObject({ headers: { 'Retry-After': { schema: { type: 'integer' } } } });
    const [read] = [await documentOf([call({ reply: z.object({}), access: 'public', stops: true })])].map(answersOf);
    expect(Object.keys(read ?? {})).toEqual(['200', '202', '403', '500', '503']);
  });
});
