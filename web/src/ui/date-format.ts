/** Dates in the reader's own language. The format is made when it is first used: the first of a page is slow to make. */
export function dateFormat(options: Intl.DateTimeFormatOptions): (at: number | Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat(undefined, options);
    return format.format(at);
  };
}

/** Makes the first format, so that none is slow to make any more; what languages there are takes a task of its own. */
export function prepareDates(): void {
  setTimeout(() => {
    new Intl.Collator();
    setTimeout(() => new Intl.DateTimeFormat());
  });
}
