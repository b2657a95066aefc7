import { type CashPocket, moveCash } from '@dutchbook/contract/accounts/cash-moves.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { formatUsd, type Usd, usdFromNumber, usdToNumber } from '@dutchbook/units/usd.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { readAgain } from '../../calls/read-again.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { numberFrom } from '../system-settings/number-from.ts';
import { cashMovesKey } from './cash-move-queries.ts';

type Draft = { from_pocket: string; to_pocket: string; amount_usd: string };

type MoveCashDialogProps = {
  opened: boolean;
  venue: VenueName;
  pockets: readonly CashPocket[];
  to: string | undefined;
  onClose: () => void;
};

const rules = rulesOf(moveCash.body);

/** Moves cash between two shards. A form has one id, so that however often it is sent it makes one move. */
export function MoveCashDialog({ opened, venue, pockets, to, onClose }: MoveCashDialogProps) {
  const client = useQueryClient();
  const [id, setId] = useState(() => crypto.randomUUID());
  const amountOf = ({ amount_usd: amount }: Draft) => numberFrom(amount) as number;
  const sentOf = (draft: Draft) => ({ ...draft, id, venue, amount_usd: usdFromNumber(amountOf(draft)) });
  const problemsOf = (draft: Draft): Record<string, string> => {
    const problems = rules({ ...draft, id, venue, amount_usd: amountOf(draft) });
    const from = pockets.find(({ name }) => name === draft.from_pocket);
    if (draft.from_pocket === draft.to_pocket) return { ...problems, to_pocket: 'Choose another shard' };
    const has = from?.free_usd ?? null;
    if (problems.amount_usd === undefined && has !== null && amountOf(draft) > usdToNumber(has))
      return { ...problems, amount_usd: `Shard ${draft.from_pocket} has ${formatUsd(has)}` };
    return problems;
  };
  const choices = pockets.map(({ name, description, free_usd: usd }) => ({
    value: name,
    label: `${name}: ${usd === null ? 'not known' : formatUsd(usd)}, ${description}`,
  }));
  return (
    <FormDialog
      opened={opened}
      onClose={() => {
        // What is typed after it was opened again is another move, also where the answer to the last one was lost.
        setId(crypto.randomUUID());
        onClose();
      }}
      title={`Move Cash at ${VENUE_LABELS[venue]}`}
      action="Move Cash"
      initialValues={draftFor(pockets, to)}
      problems={problemsOf}
      send={(draft: Draft) => call(moveCash, { body: sentOf(draft) })}
      meta={{ success: 'The move was recorded. It is sent within seconds.' }}
      onSent={() => void readAgain(client, cashMovesKey)}
    >
      {(form) => (
        <>
          <p className="hint">
            Orders of both shards wait until the move is done. The venue is asked for it once: a move that it does not
            show is never sent again.
          </p>
          <NativeSelect label="From Shard" data={choices} {...form.getInputProps('from_pocket')} />
          <NativeSelect label="To Shard" data={choices} {...form.getInputProps('to_pocket')} />
          <TextInput
            label="Amount"
            description="Dollars"
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('amount_usd')}
          />
          <div className="row">
            {amountsFor(pockets, form.values).map(({ name, usd }) => (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                onClick={() => form.setFieldValue('amount_usd', String(usdToNumber(usd)))}
              >
                {name} {formatUsd(usd)}
              </Button>
            ))}
          </div>
        </>
      )}
    </FormDialog>
  );
}

/** From the shard that has most, into the one that was asked for or else has least. */
function draftFor(pockets: readonly CashPocket[], to: string | undefined): Draft {
  const byCash = pockets.toSorted((a, b) => (b.free_usd ?? 0) - (a.free_usd ?? 0));
  const asked = pockets.find(({ name }) => name === to);
  const target = asked ?? byCash.at(-1);
  const source = byCash.find(({ name }) => name !== target?.name);
  return { from_pocket: source?.name ?? '', to_pocket: target?.name ?? '', amount_usd: '' };
}

const CENT = usdFromNumber(0.01);

/** Amounts that can be filled in: all that the shard has, and what leaves both shards with as much. */
function amountsFor(pockets: readonly CashPocket[], { from_pocket: from, to_pocket: to }: Draft) {
  const freeOf = (pocket: string) => pockets.find(({ name }) => name === pocket)?.free_usd ?? null;
  const has = freeOf(from);
  if (has === null || has < CENT) return [];
  const gap = from === to ? 0 : (has - (freeOf(to) ?? has)) / 2;
  const half = (Math.floor(gap / CENT) * CENT) as Usd;
  return [...(half > 0 ? [{ name: 'Even Out', usd: half }] : []), { name: 'All', usd: has }];
}
