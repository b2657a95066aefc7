/** A month of the calendar, week by week. */

/** `2026-11`, from a day. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The month so many later. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

/** The weeks of a month from that of its first known day to that of its last: a new desk has no empty weeks. */
export function weeksBetween(month: string, days: readonly string[]): (string | undefined)[][] {
  const known = days.filter((day) => monthOf(day) === month).sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return weeksOf(month);
  const isWithin = (week: readonly (string | undefined)[]) =>
    week.some((day) => day !== undefined && day >= first) && week.some((day) => day !== undefined && day <= last);
  return weeksOf(month).filter(isWithin);
}

/** Its days in weeks from Monday on; undefined where a week reaches beyond the month. */
export function weeksOf(month: string): (string | undefined)[][] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const blank = (new Date(Date.UTC(year, number - 1)).getUTCDay() + 6) % 7;
  const days = Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
  const padded: (string | undefined)[] = [...Array.from({ length: blank }, () => undefined), ...days];
  return Array.from({ length: Math.ceil(padded.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, place) => padded[week * 7 + place]),
  );
}
