import type { ImportReply } from '@dutchbook/contract/opportunities/import-csv.ts';

/** A cell that begins like this is run by spreadsheets. */
const LOOKS_LIKE_FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** The refused rows as a CSV file: the number of each row under the header, and why. */
export function errorsAsCsv(errors: ImportReply['errors']): string {
  const rows = errors.map(({ row, message }) => `${row},${quoted(message)}`);
  return ['row,message', ...rows, ''].join('\r\n');
}

function quoted(text: string): string {
  const plain = LOOKS_LIKE_FORMULA.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
