/** A row of a `price_change`, as its texts. */
export interface ChangedRow {
  readonly asset_id: string;
  readonly price: string;
  readonly size: string;
  readonly side: string;
}

const KIND = '"event_type":"price_change"';
const ROWS = '"price_changes":[';
const TIME = '"timestamp":"';

/**
 * The rows of a `price_change` in the order of fields in which the venue writes them, without building all that it holds: most of what
 * a mirror receives is such frames.
 * @returns undefined for any other text, and where it is written otherwise
 */
export function scanChanges(text: string): { rows: readonly ChangedRow[]; timestamp: string } | undefined {
  // An escape could hide a quotation mark, and several frames come in a list.
  if (!text.startsWith('{') || !text.endsWith('}') || !text.includes(KIND) || text.includes('\\')) return undefined;
  const cursor = new Cursor(text, text.indexOf(ROWS) + ROWS.length);
  const rows: ChangedRow[] = [];
  do {
    const asset_id = cursor.value('{"asset_id":"');
    const price = cursor.value(',"price":"');
    const size = cursor.value(',"size":"');
    const side = cursor.value(',"side":"');
    cursor.skipRow();
    rows.push({ asset_id, price, size, side });
  } while (cursor.takes(','));
  const timestamp = new Cursor(text, text.indexOf(TIME)).value(TIME);
  return cursor.takes(']') && cursor.isRight && timestamp !== '' && text.includes(ROWS)
    ? { rows, timestamp }
    : undefined;
}

/** Goes through a text by what is expected next; it is wrong from the first thing on that is not there. */
class Cursor {
  readonly #text: string;
  #at: number;
  isRight = true;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  takes(expected: string): boolean {
    const is = this.#text.startsWith(expected, this.#at);
    if (is) this.#at += expected.length;
    return is;
  }

  /** The text that begins after `before` and ends with a quotation mark. */
  value(before: string): string {
    this.isRight &&= this.takes(before);
    const end = this.#text.indexOf('"', this.#at);
    this.isRight &&= end !== -1;
    if (!this.isRight) return '';
    const value = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return value;
  }

  /** Past the end of a row, which holds texts alone. */
  skipRow(): void {
    const end = this.#text.indexOf('}', this.#at);
    this.isRight &&= end !== -1;
    if (this.isRight) this.#at = end + 1;
  }
}
