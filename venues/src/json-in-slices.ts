import { setImmediate } from 'node:timers/promises';

/** Shorter texts take less than some milliseconds. */
const SLICED_FROM = 200_000;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const WHOLE_NUMBER = /^\d+$/;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * What `JSON.parse` makes of a text. A long one is mostly a list, alone or as the first one in an object: its elements are read one by
 * one, between which other things have their time. @throws SyntaxError
 */
export async function parseInSlices(text: string): Promise<unknown> {
  if (text.length < SLICED_FROM) return JSON.parse(text);
  const begin = beginningOfList(text);
  if (begin === null) return JSON.parse(text);
  const elements: unknown[] = [];
  let parsedTo = begin;
  let end = begin;
  for (const part of partsOfList(text, begin)) {
    end = part.to;
    elements.push(JSON.parse(text.slice(part.from, part.to)));
    if (end - parsedTo < SLICED_FROM) continue;
    parsedTo = end;
    await setImmediate();
  }
  // The list is empty here; what stands around it is short.
  const around: unknown = JSON.parse(text.slice(0, begin) + text.slice(end));
  // Names that are whole numbers come first in an object, wherever they stand in its text.
  if (Object.keys(around ?? {}).some((name) => WHOLE_NUMBER.test(name))) return JSON.parse(text);
  const list = Array.isArray(around) ? around : Object.values(around ?? {}).find(Array.isArray);
  if (list === undefined || list.length > 0) return JSON.parse(text);
  for (const element of elements) list.push(element);
  return around;
}

/** Behind the bracket of the text's list, or of the first one in its object; null where there is none. */
function beginningOfList(text: string): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) {
      if (text[at] === '[' && depth <= 1) return at + 1;
      depth += 1;
    } else if (CLOSING.has(code)) depth -= 1;
  }
  return null;
}

/** The elements of a non-empty list that begins at `begin`. */
function* partsOfList(text: string, begin: number): Generator<{ from: number; to: number }> {
  let depth = 0;
  let from = begin;
  for (let at = begin; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.has(code)) depth += 1;
    else if (CLOSING.has(code)) {
      depth -= 1;
      if (depth >= 0) continue;
      if (from > begin || text.slice(from, at).trim() !== '') yield { from, to: at };
      return;
    } else if (code === COMMA && depth === 0) {
      yield { from, to: at };
      from = at + 1;
    }
  }
}

/** The quote that ends the string which begins there, or the end of the text. */
function endOfString(text: string, begin: number): number {
  for (let at = text.indexOf('"', begin + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
