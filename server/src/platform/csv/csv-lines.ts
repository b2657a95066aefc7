import { stringify } from 'csv-stringify/sync';

/** Every cell in quotes: a lone carriage return or a blank at the edge is content, not layout. */
export function csvLines(records: string[][]): string {
  return stringify(records, { quoted: true, quoted_empty: false, record_delimiter: '\r\n' });
}
