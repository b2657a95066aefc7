import { dateFormat } from '../../ui/date-format.ts';

/** A time of the day to the millisecond. */
export const timeOfMoment = dateFormat({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

export const dayOfMoment = dateFormat({ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' });
