const FIRST = [
  'Arn',
  'Bel',
  'Cor',
  'Dun',
  'Esk',
  'Fal',
  'Gar',
  'Hol',
  'Ing',
  'Kel',
  'Lor',
  'Mar',
  'Nor',
  'Oak',
  'Pen',
  'Rav',
  'Sel',
  'Tor',
  'Ulm',
  'Wyn',
];
const SECOND = [
  'wick',
  'ford',
  'stead',
  'mere',
  'ton',
  'holm',
  'gate',
  'moor',
  'dale',
  'haven',
  'cliff',
  'bury',
  'marsh',
  'field',
  'brook',
  'combe',
  'thorpe',
  'hurst',
  'shaw',
  'well',
];
const THIRD = ['', ' Bridge', ' Cross', ' Green', ' Hill', ' Hollow', ' Point', ' Quay', ' Rise', ' Water'];

/** The invented place with this number, from 0; no two are the same. No figure is in it that a reader might take for a threshold. */
export function placeName(number: number): string {
  const first = FIRST[number % FIRST.length] ?? '';
  const second = SECOND[Math.floor(number / FIRST.length) % SECOND.length] ?? '';
  const round = Math.floor(number / (FIRST.length * SECOND.length));
  const third = THIRD[round % THIRD.length] ?? '';
  const more = ' Upper'.repeat(Math.floor(round / THIRD.length));
  return `${first}${second}${third}${more}`;
}
