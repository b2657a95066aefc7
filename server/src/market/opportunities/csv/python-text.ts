/** One piece of a value as Python prints it: a text in either quotes, a word, or anything else. */
const PIECE = /'((?:[^'\\\n]|\\.)*)'|("(?:[^"\\\n]|\\.)*")|\b(True|False|None)\b|([^'"TFN]+|[TFN])/gy;
const WORDS: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

/** A list or dictionary as Python prints it, as JSON; null where it is none. */
export function jsonFromPython(text: string): string | null {
  if (!text.includes("'")) return null;
  let json = '';
  let read = 0;
  for (const [piece, single, double, word] of text.matchAll(PIECE)) {
    json += single !== undefined ? quoted(single) : word !== undefined ? WORDS[word] : (double ?? piece);
    read += piece.length;
  }
  return read === text.length ? json : null;
}

/** A text from single quotes, where double ones need no escape, as JSON. */
function quoted(text: string): string {
  return `"${text.replaceAll(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'"))}"`;
}
