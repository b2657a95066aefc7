import type { MarketReply } from '@dutchbook/contract/markets.ts';
import { pauseMakers, resolveMarket, setBook } from '@dutchbook/contract/simulator.ts';
import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { LoadError } from '../../calls/loaded.tsx';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { Panel } from '../../ui/panel.tsx';
import { marketSearchQuery } from '../opportunities/add/add-queries.ts';
import { levelsFrom } from './levels.ts';
import styles from './simulator.module.css';

const SEARCH_DELAY_MS = 250;
const OFFERED = 50;
const HALF = 'half';

/** One market at a time: its books and its end. */
export function MarketPanel() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_DELAY_MS);
  const read = useQuery(marketSearchQuery(search, OFFERED));
  const found = read.data?.data ?? [];
  const [chosen, setChosen] = useState<MarketReply>();
  const offered = chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found];
  return (
    <Panel title="One Market" aside={<Makers />}>
      <LoadError of={read} text="Error loading the markets" />
      <div className={styles.fields}>
        <TextInput
          label="Search Markets"
          type="search"
          autoComplete="off"
          maxLength={200}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <NativeSelect
          label="Market"
          value={chosen?.id ?? ''}
          data={[
            { value: '', label: askFor(read.isPending, offered.length) },
            ...offered.map(({ id, question, event }) => ({
              value: id,
              label: event === null ? question : `${event.title}: ${question}`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) => setChosen(offered.find(({ id }) => id === value))}
        />
      </div>
      {chosen !== undefined && (
        <>
          <BookForm key={`book ${chosen.id}`} market={chosen} />
          <ResolveForm key={chosen.id} market={chosen} />
        </>
      )}
    </Panel>
  );
}

function askFor(isPending: boolean, offered: number): string {
  if (offered > 0) return 'Choose one';
  return isPending ? 'Reading the markets' : 'None has these words';
}

/** Two buttons, because the exchange does not say whether its makers stand still. */
function Makers() {
  const { start, isPending } = useSingleMutation({
    mutationFn: (paused: boolean) => call(pauseMakers, { body: { paused } }),
    meta: { success: 'The market makers were told.' },
  });
  return (
    <div className="row">
      <Button size="xs" variant="default" loading={isPending} onClick={() => start(true)}>
        Pause Market Makers
      </Button>
      <Button size="xs" variant="default" loading={isPending} onClick={() => start(false)}>
        Let Them Go On
      </Button>
    </div>
  );
}

function BookForm({ market: { outcomes } }: { market: MarketReply }) {
  const [tokenId, setTokenId] = useState(outcomes[0]?.token_id ?? '');
  const [bids, setBids] = useState('');
  const [asks, setAsks] = useState('');
  const read = { bids: levelsFrom(bids), asks: levelsFrom(asks) };
  const [shown, setShown] = useState(false);
  const { start, isPending } = useSingleMutation({
    mutationFn: (body: Parameters<typeof call<typeof setBook>>[1]['body']) => call(setBook, { body }),
    meta: { success: 'The book was replaced.' },
  });
  const send = () => {
    setShown(true);
    if (typeof read.bids === 'string' || typeof read.asks === 'string') return;
    start({ token_id: tokenId, bids: read.bids, asks: read.asks });
  };
  const problemOf = (levels: unknown) => (shown && typeof levels === 'string' ? levels : null);
  return (
    <div className={styles.fields}>
      <NativeSelect
        label="Outcome of the Book"
        value={tokenId}
        data={outcomes.map(({ outcome, token_id }) => ({ value: token_id, label: outcome }))}
        onChange={({ currentTarget }) => setTokenId(currentTarget.value)}
      />
      <Textarea
        label="Bids"
        description="A price and a size a line"
        placeholder="0.31 40"
        maxLength={2_000}
        value={bids}
        error={problemOf(read.bids)}
        onChange={({ currentTarget }) => setBids(currentTarget.value)}
      />
      <Textarea
        label="Asks"
        description="Each above every bid"
        placeholder="0.35 25.5"
        maxLength={2_000}
        value={asks}
        error={problemOf(read.asks)}
        onChange={({ currentTarget }) => setAsks(currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button variant="default" loading={isPending} onClick={send}>
          Set Book
        </Button>
      </div>
    </div>
  );
}

function ResolveForm({ market: { id, question, outcomes, neg_risk } }: { market: MarketReply }) {
  const [outcome, setOutcome] = useState(outcomes[0]?.outcome ?? '');
  const [asking, setAsking] = useState(false);
  const choices = [
    ...outcomes.map((each) => ({ value: each.outcome, label: each.outcome })),
    ...(neg_risk ? [] : [{ value: HALF, label: 'Half a dollar each' }]),
  ];
  return (
    <div className={styles.fields}>
      <NativeSelect
        label="Comes True"
        value={outcome}
        data={choices}
        onChange={({ currentTarget }) => setOutcome(currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button variant="default" onClick={() => setAsking(true)}>
          Resolve
        </Button>
      </div>
      <ConfirmedCall
        opened={asking}
        title="Resolve the Market"
        confirm="Resolve"
        send={() => call(resolveMarket, { body: { market_id: id, outcome } })}
        meta={{ success: 'The market was resolved.' }}
        onClose={() => setAsking(false)}
      >
        <p>
          “{question}” is resolved as <strong>{choices.find(({ value }) => value === outcome)?.label}</strong> for good.
        </p>
      </ConfirmedCall>
    </div>
  );
}
