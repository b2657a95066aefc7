const QUOTE = 34;
const COMMA = 44;
const OPENING_BRACKET = 91;
const OPENING_BRACE = 123;
const BACKSLASH = 92;

/**
 * Whether JSON text holds more values, lists and objects than so many, without building them: reading and judging
 * hundreds of thousands takes seconds, finding out that they are there takes a few milliseconds.
 */
export function holdsMoreValuesThan(most: number, json: string): boolean {
  let values = 1;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at + 1);
    else if (code === COMMA || code === OPENING_BRACKET || code === OPENING_BRACE) values += 1;
    if (values > most) return true;
  }
  return false;
}

/** Where the quote stands that closes it; the end of the text where none does. */
function endOfString(json: string, from: number): number {
  for (let at = from; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
}
