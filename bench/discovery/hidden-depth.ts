// What do clips take where a venue has only a part of the depth that it shows, 60 % on average, and how much is at risk at the worst
// instant? The desk that decides live, over windows that are drawn anew each, with $25 of LOSS_ALLOWANCE_USD. Budget: 60 % of the dollars
// of a trader who knows what is there, and never more at risk than the allowance and a tick's slippage.
//
//     node_modules/.bin/node bench/discovery/hidden-depth.ts
import { ALLOWANCE, takeHidden } from '@dutchbook/engine/desk/hidden-depth.fixture.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import { tell } from '../rows.ts';

const WINDOWS = 4000;
const NAMED = `clips in ${WINDOWS} windows of which 60 % of the depth is there, $25 at risk`;

const { share, worstAtRisk } = takeHidden(WINDOWS);
tell({ question: `${NAMED}: of all dollars`, figure: share * 100, unit: '%', budget: { atLeast: 60 } });
tell({
  question: `${NAMED}: most at risk`,
  figure: worstAtRisk,
  unit: '$',
  budget: { atMost: usdToNumber(ALLOWANCE) },
});
