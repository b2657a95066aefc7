import { messages, protocol } from '@electric-sql/pglite';

const DATA_ROW = 'D'.charCodeAt(0);
/** Of every message: a letter, and its length without that letter. */
const HEAD_BYTES = 5;
const INT16_BYTES = 2;
const INT32_BYTES = 4;

/**
 * Reads the messages of an answer. Of many rows the library's own reader takes longer than the database over them, since
 * it copies every field before it makes a text of it; so rows are read here, and only what else there is by it.
 */
export function readAnswer(bytes: Buffer, take: (message: messages.BackendMessage) => void): void {
  const others = new protocol.Parser();
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readInt32BE(at + 1);
    const end = at + 1 + length;
    if (bytes[at] === DATA_ROW) take(new messages.DataRowMessage(length, fieldsAt(bytes, at + HEAD_BYTES)));
    else others.parse(new Uint8Array(bytes.subarray(at, end)), take);
    at = end;
  }
}

function fieldsAt(bytes: Buffer, start: number): (string | null)[] {
  const fields = new Array<string | null>(bytes.readInt16BE(start));
  let at = start + INT16_BYTES;
  for (let index = 0; index < fields.length; index += 1) {
    const length = bytes.readInt32BE(at);
    at += INT32_BYTES;
    if (length === -1) fields[index] = null;
    else {
      fields[index] = bytes.toString('utf8', at, at + length);
      at += length;
    }
  }
  return fields;
}
