import { createHash } from 'node:crypto';
import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { z } from 'zod';
import type { Token } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';

const decimal = z.union([z.string(), z.number()]).transform(String);

export const outsideOrder = z.object({
  token_id: z.string(),
  side: z.enum(['BUY', 'SELL']),
  price: decimal,
  size: decimal,
  account: z.string().optional(),
});

/** Places a resting order for an account as another program with its key would. Answers its id, or why it is refused. */
export function placeOutsideOrder(
  engine: MatchingEngine,
  account: string,
  token: Token,
  { side, price, size }: z.infer<typeof outsideOrder>,
): { id: string } | { refused: string } {
  const shares = sharesFromText(size);
  const id = `0x${createHash('sha256').update(`outside order ${engine.register.orders.size}`).digest('hex')}`;
  const outcome = engine.place({
    id,
    account,
    makerAddress: account,
    token,
    side,
    limit: priceFromText(price),
    shares,
    quantity: { kind: 'shares', shares },
    timeInForce: 'GTC',
    postOnly: false,
    expiresAt: null,
  });
  return outcome.kind === 'accepted' ? { id } : { refused: outcome.reason };
}
