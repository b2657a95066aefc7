import { describe, expect, test } from 'vitest';
import { houseWith } from '../house.fixture.ts';
import { size } from './size.ts';

const lines = (count: number) => 'step();\n'.repeat(count);
const functionOf = (count: number) => `export function place() {\n${lines(count - 2)}}\n`;

function reasons(source: string, ratchet: Readonly<Record<string, number>> = {}): string[] {
  const files = { 'server/src/a.ts': source, 'tools/tidy/ratchet.json': JSON.stringify(ratchet) };
  return size.find(houseWith(files)).map(({ reason }) => reason);
}

test('measures files and functions to the line', () => {
  expect(reasons(lines(400))).toEqual([]);
  expect(reasons(lines(401))).toEqual(['server/src/a.ts has 401 lines, over 400: split it by concept']);
  expect(reasons(functionOf(70))).toEqual([]);
  expect(reasons(functionOf(71))).toEqual(['server/src/a.ts#place has 71 lines, over 70: split it by concept']);
});

test('names methods and arrow functions, and lets a list of tests be long', () => {
  expect(reasons(`const place = () => {\n${lines(80)}};\n`)[0]).toContain('server/src/a.ts#place has 82');
  expect(reasons(`class Desk {\n  place() {\n${lines(80)}  }\n}\n`)[0]).toContain('server/src/a.ts#place has 82');
  expect(reasons(`describe('desk', () => {\n${"test('a', f);\n".repeat(80)}});\n`)).toEqual([]);
});

describe('the ratchet', () => {
  const key = 'server/src/a.ts#place';

  test('holds what it lists at its size', () => {
    expect(reasons(functionOf(90), { [key]: 90 })).toEqual([]);
    expect(reasons(functionOf(91), { [key]: 90 })).toEqual([`${key} grew from 90 lines to 91`]);
  });

  test('follows what shrinks, down to nothing', () => {
    expect(reasons(functionOf(80), { [key]: 90 })).toEqual([`${key} shrank to 80 lines: write that down`]);
    expect(reasons(functionOf(60), { [key]: 90 })).toEqual([`${key} is within 70 lines: delete its entry`]);
    expect(reasons('', { [key]: 90 })).toEqual([`${key} is not there any more: delete its entry`]);
  });
});
