/** Dates in the reader's own language. The format is made when it is first used: the first of a page is slow to make. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: number | Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat(undefined, options);
    return format.format(at);
  };
}

const date = { month: 'short', day: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const toTheDay = dateFormat(date);
const toTheDayWithYear = dateFormat({ ...date, year: 'numeric' });
const toTheSecond = dateFormat({ ...date, ...clock });
const toTheSecondWithYear = dateFormat({ ...date, year: 'numeric', ...clock });
const ofTheDay = dateFormat(clock);

/** A day, with its year where that is not this one. */
export function dayWords(at: number): string {
  return isOfThisYear(at) ? toTheDay(at) : toTheDayWithYear(at);
}

/** A moment to the second, with its year where that is not this one. */
export function secondWords(at: number): string {
  return withWholeClock(isOfThisYear(at) ? toTheSecond(at) : toTheSecondWithYear(at));
}

/** A line ends before the time, never between it and the half of the day. */
function withWholeClock(words: string): string {
  return words.replace(/ (?=[AP]M$)/, '\u00a0');
}

/** The time alone where it is one of today. */
export function clockWords(at: number): string {
  return new Date(at).toDateString() === new Date().toDateString() ? ofTheDay(at) : secondWords(at);
}

function isOfThisYear(at: number): boolean {
  return new Date(at).getFullYear() === new Date().getFullYear();
}
