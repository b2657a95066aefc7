/** A decimal as people type it: `undefined` for nothing at all, not a number for any other text. */
export function numberFrom(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i.test(trimmed) ? Number(trimmed) : Number.NaN;
}

/** A number for a text, and a switch as it is. */
export function amountOf(typed: unknown): unknown {
  return typeof typed === 'string' ? numberFrom(typed) : typed;
}
