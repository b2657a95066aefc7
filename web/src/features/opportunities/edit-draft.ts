import { type Opportunity, opportunityUpdate, POSITIONS_MAX } from '@dutchbook/contract/opportunities.ts';
import { formatPrice, type Price, priceToText } from '@dutchbook/units/price.ts';
import * as z from 'zod/mini';

/** What is said of a target price that cannot be one. */
export const TARGET_PRICE_RULE = `Enter a price greater than 0, ${POSITIONS_MAX} at most`;

/** What is typed and ticked while an opportunity is edited. */
export type EditDraft = { target_price: string; active: boolean };

type Editable = Pick<Opportunity, 'target_price' | 'active'>;
type Changes = z.output<typeof opportunityUpdate>;

/** A target price with all its decimals, and never with fewer than the screens show. */
export function draftOf({ target_price, active }: Editable): EditDraft {
  const shown = formatPrice(target_price);
  const exact = priceToText(target_price);
  return { target_price: exact.length > shown.length ? exact : shown, active };
}

/** The problem of each field that has one, by the contract's rule. */
export function editProblems({ target_price }: EditDraft): Record<string, string> {
  return readTarget(target_price) === undefined ? { target_price: TARGET_PRICE_RULE } : {};
}

/** What differs from the draft as it was opened: what another user changed meanwhile stays. */
export function changesOf(draft: EditDraft, before: EditDraft): Changes {
  const target = readTarget(draft.target_price);
  return {
    ...(target === undefined || target === readTarget(before.target_price) ? {} : { target_price: target }),
    ...(draft.active === before.active ? {} : { active: draft.active }),
  };
}

/** Undefined of a text that can be none. */
export function readTarget(text: string): Price | undefined {
  const typed = text.trim();
  if (!/^\d*\.?\d+$|^\d+\.$/.test(typed)) return undefined;
  const read = z.safeDecode(opportunityUpdate, { target_price: Number(typed) });
  return read.success ? read.data.target_price : undefined;
}
