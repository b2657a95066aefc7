/** Facts as JSON: what is no plain object in memory is entries there. */
import type { AccountFact, FactOf } from './facts.ts';
import type { FactTopic } from './table.ts';

type StoredAccount = Omit<AccountFact, 'allowances'> & { allowances: [string, number][] | null };

export function toStored<Topic extends FactTopic>(topic: Topic, data: FactOf[Topic]): object {
  if (topic === 'account') return storedAccount(data as AccountFact);
  if (topic !== 'decision') return data;
  const { account, ...decision } = data as FactOf['decision'];
  return { ...decision, account: account && storedAccount(account) };
}

export function fromStored<Topic extends FactTopic>(topic: Topic, stored: object): FactOf[Topic] {
  if (topic === 'account') return accountOf(stored as StoredAccount) as FactOf[Topic];
  if (topic !== 'decision') return stored as FactOf[Topic];
  const { account, ...decision } = stored as Omit<FactOf['decision'], 'account'> & { account: StoredAccount | null };
  return { ...decision, account: account && accountOf(account) } as FactOf[Topic];
}

function storedAccount({ allowances, ...account }: AccountFact): StoredAccount {
  return { ...account, allowances: allowances && [...allowances] };
}

function accountOf({ allowances, ...account }: StoredAccount): AccountFact {
  return { ...account, allowances: allowances && new Map(allowances) };
}

const NOT_STORABLE = /\\u(?:0000|d[89a-f])/;

/** Venues' texts may hold characters that the database does not take. */
export function jsonText(data: object): string {
  const text = JSON.stringify(data);
  if (!NOT_STORABLE.test(text)) return text;
  return JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
}
