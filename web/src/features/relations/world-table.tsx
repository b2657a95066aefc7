import type { RelationMember, RelationWorlds } from '@dutchbook/contract/relations.ts';
import { microToFixed } from '@dutchbook/units/micro.ts';
import { formatAnnualised, isBackWithinDay, NO_YEARLY_REASON, percentOf } from '@dutchbook/units/percent.ts';
import { formatPrice, PRICE_ZERO, priceToText } from '@dutchbook/units/price.ts';
import { usdFromMicro } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Explained } from '../../ui/explained.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { inCents } from './relation-words.ts';
import styles from './world-table.module.css';

type WorldTableProps = { worlds: RelationWorlds | null; members: readonly RelationMember[] };
type World = RelationWorlds['rows'][number] & { nth: number };

/** As many have room for their names and prices on a line. */
const FEW_LEGS = 5;

/** Worlds shown until the user asks for all of them. */
const SHOWN_FIRST = 12;

/** What every leg of the best basket pays in every world that the rules allow. */
export function WorldTable({ worlds, members }: WorldTableProps) {
  return (
    <Panel title="Worlds">
      {worlds === null ? (
        <Note tone="inactive" title="No basket can be priced now, so there is nothing to pay in any world." />
      ) : (
        <Worlds worlds={worlds} members={members} />
      )}
    </Panel>
  );
}

function Worlds({ worlds, members }: { worlds: RelationWorlds; members: readonly RelationMember[] }) {
  const { legs } = worlds;
  const rows = worlds.rows.map((world, nth) => ({ ...world, nth }));
  const [all, setAll] = useState(false);
  const shown = all ? rows : firstOf(rows);
  const byMarket = new Map(members.map((member) => [member.market_id, member]));
  return (
    <>
      <p className={styles.sentence}>{payoutSentence(worlds)}</p>
      <div className={styles.frame}>
        <table className={styles.table} data-narrow={legs.length > FEW_LEGS} aria-label="Worlds">
          <thead>
            <tr>
              <th scope="col">World</th>
              <th scope="col" data-align="end">
                Set pays
              </th>
              {legs.map((leg) => (
                <th key={leg.leg} scope="col" data-align="end">
                  <LegHead leg={leg} member={byMarket.get(leg.market_id)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((world) => (
              <WorldRow key={world.nth} world={world} legs={legs} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <Button className={styles.more} size="xs" variant="default" onClick={() => setAll(true)}>
          Show All {rows.length} Worlds
        </Button>
      )}
    </>
  );
}

type Leg = RelationWorlds['legs'][number];

/** It says the question when it is pointed at or focused; so the keys that go from leg to leg also scroll sideways. */
function LegHead({ leg: { leg, outcome, price, fee }, member }: { leg: Leg; member: RelationMember | undefined }) {
  return (
    <>
      <Explained by={member?.question ?? outcome}>
        <span className={styles.leg}>
          Leg {leg}: {outcome}
        </span>
      </Explained>
      <span className={styles.member}>{member?.group_title || member?.question}</span>
      <span className={styles.price}>
        <span>{formatPrice(price)}</span> <span>+ {microToFixed(fee, 4)} fee</span>
      </span>
    </>
  );
}

function WorldRow({ world: { name, voided, pays, total, is_worst }, legs }: { world: World; legs: readonly Leg[] }) {
  return (
    <tr data-worst={is_worst}>
      <th scope="row">
        {name}
        {is_worst && (
          <>
            {' '}
            <StatusBadge tone="warning">Worst</StatusBadge>
          </>
        )}
        {voided && (
          <>
            {' '}
            <StatusBadge tone="inactive">Voided</StatusBadge>
          </>
        )}
      </th>
      <td data-align="end">
        <strong>{formatPrice(total)}</strong>
      </td>
      {legs.map(({ leg }, place) => {
        const paid = pays[place] ?? PRICE_ZERO;
        return (
          <td key={leg} data-align="end" data-nothing={paid === 0}>
            {priceToText(paid)}
          </td>
        );
      })}
    </tr>
  );
}

/** The first worlds, and the worst one wherever it stands. */
function firstOf(rows: readonly World[]): readonly World[] {
  const first = rows.slice(0, SHOWN_FIRST);
  const worst = rows.find(({ is_worst }) => is_worst);
  return worst === undefined || first.includes(worst) ? first : [...first.slice(0, -1), worst];
}

function payoutSentence({ cost, payout, payout_with_voids, annualised_return }: RelationWorlds): string {
  const sure = `One set costs $${microToFixed(cost, 4)} with fees and pays at least $${formatPrice(payout)}`;
  const loss = usdFromMicro(cost - payout);
  const profit = cost > 0 ? percentOf(usdFromMicro(payout - cost), usdFromMicro(cost), 'down') : null;
  const earns =
    loss >= 0
      ? `That is a loss of ${inCents(loss)} a set, whenever the cash is back.`
      : annualised_return === null
        ? 'When the cash is back is not known.'
        : isBackWithinDay(annualised_return, profit)
          ? `It has no return a year: ${NO_YEARLY_REASON}.`
          : `By when the cash is back, that is ${formatAnnualised(annualised_return, profit)} a year.`;
  return payout_with_voids < payout
    ? `${sure}; where a market is voided, at least $${formatPrice(payout_with_voids)}. ${earns}`
    : `${sure}, also where a market is voided. ${earns}`;
}
