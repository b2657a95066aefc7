/** Journal rows as JSON: what is no plain object in memory is entries there. */
import type { JournalData, JournaledAccount, JournaledOpportunity } from './journaled.ts';
import type { JournalTopic } from './table.ts';

type StoredAccount = Omit<JournaledAccount, 'allowances'> & { allowances: [string, number][] | null };
/** `aboveTrigger` is stored as `isUp`, the name that it has in the rows of earlier versions. */
type StoredOpportunity = Omit<JournaledOpportunity, 'aboveTrigger'> & { isUp: boolean };

export function toStored<Topic extends JournalTopic>(topic: Topic, data: JournalData[Topic]): object {
  if (topic === 'account') return storedAccount(data as JournaledAccount);
  if (topic === 'opportunity') return storedOpportunity(data as JournaledOpportunity);
  if (topic !== 'decision') return data;
  const { account, ...decision } = data as JournalData['decision'];
  return { ...decision, account: account && storedAccount(account) };
}

export function fromStored<Topic extends JournalTopic>(topic: Topic, stored: object): JournalData[Topic] {
  if (topic === 'account') return accountOf(stored as StoredAccount) as JournalData[Topic];
  if (topic === 'opportunity') return opportunityOf(stored as StoredOpportunity) as JournalData[Topic];
  if (topic !== 'decision') return stored as JournalData[Topic];
  const { account, ...decision } = stored as Omit<JournalData['decision'], 'account'> & {
    account: StoredAccount | null;
  };
  return { ...decision, account: account && accountOf(account) } as JournalData[Topic];
}

function storedOpportunity({ aboveTrigger, ...opportunity }: JournaledOpportunity): StoredOpportunity {
  return { ...opportunity, isUp: aboveTrigger };
}

function opportunityOf({ isUp, ...opportunity }: StoredOpportunity): JournaledOpportunity {
  return { ...opportunity, aboveTrigger: isUp };
}

function storedAccount({ allowances, ...account }: JournaledAccount): StoredAccount {
  return { ...account, allowances: allowances && [...allowances] };
}

function accountOf({ allowances, ...account }: StoredAccount): JournaledAccount {
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
