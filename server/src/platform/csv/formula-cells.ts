/**
 * Spreadsheets run a cell that begins like a formula. On export such a text gets an apostrophe in front, which they
 * take as "this is text"; on import it goes again. A text that begins with apostrophes before such a character gets
 * one more, so that restoring is exact.
 */
const LOOKS_LIKE_FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const WAS_DEFUSED = /^'+[=+\-@\t\r\n＝＋－＠]/;

export function defuse(text: string): string {
  return LOOKS_LIKE_FORMULA.test(text) ? `'${text}` : text;
}

export function restore(cell: string): string {
  return WAS_DEFUSED.test(cell) ? cell.slice(1) : cell;
}
