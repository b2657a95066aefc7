import type { Opportunity } from '@dutchbook/contract/opportunities.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { Note } from '../../../ui/states.tsx';

/** Warns of a target above what a set surely pays, where that is known. */
export function TargetNote({ of: { target_price, pays_at_most: most } }: { of: Targeted }) {
  if (most === undefined || target_price <= most) return null;
  return (
    <Note
      tone="warning"
      title={`Its target of $${formatPrice(target_price)} is more than a set surely pays`}
      lines={[
        `Whatever comes true of its markets, a set is sure of $${formatPrice(most)} at most: above that its profit is a bet.`,
      ]}
    />
  );
}

type Targeted = Pick<Opportunity, 'target_price' | 'pays_at_most'>;
