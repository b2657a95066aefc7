/** Facts as JSON: what is no plain object in memory is entries there. */
import type { AccountFact, FactOf, OpportunityFact } from './facts.ts';
import type { FactTopic } from './table.ts';

type StoredAccount = Omit<AccountFact, 'allowances'> & { allowances: [string, number][] | null };
/** `aboveTrigger` is stored as `isUp`, the name that it has in the rows of earlier versions. */
type StoredOpportunity = Omit<OpportunityFact, 'aboveTrigger'> & { isUp: boolean };

export function toStored<Topic extends FactTopic>(topic: Topic, data: FactOf[Topic]): object {
  if (topic === 'account') return storedAccount(data as AccountFact);
  if (topic === 'opportunity') return storedOpportunity(data as OpportunityFact);
  if (topic !== 'decision') return data;
  const { account, ...decision } = data as FactOf['decision'];
  return { ...decision, account: account && storedAccount(account) };
}

export function fromStored<Topic extends FactTopic>(topic: Topic, stored: object): FactOf[Topic] {
  if (topic === 'account') return accountOf(stored as StoredAccount) as FactOf[Topic];
  if (topic === 'opportunity') return opportunityOf(stored as StoredOpportunity) as FactOf[Topic];
  if (topic !== 'decision') return stored as FactOf[Topic];
  const { account, ...decision } = stored as Omit<FactOf['decision'], 'account'> & { account: StoredAccount | null };
  return { ...decision, account: account && accountOf(account) } as FactOf[Topic];
}

function storedOpportunity({ aboveTrigger, ...opportunity }: OpportunityFact): StoredOpportunity {
  return { ...opportunity, isUp: aboveTrigger };
}

function opportunityOf({ isUp, ...opportunity }: StoredOpportunity): OpportunityFact {
  return { ...opportunity, aboveTrigger: isUp };
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
