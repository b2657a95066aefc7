/** Journal rows as JSON: what is no plain object in memory is entries there. */
import type { Readiness } from '@dutchbook/engine/desk/assess.ts';
import type { AccountState, Holdings } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { JournalData, JournaledAccount, JournaledOpportunity } from './journaled.ts';
import type { JournalTopic } from './table.ts';

type StoredAllowances = [string, number][] | null;
type StoredState = Omit<AccountState, 'allowances'> & { allowances: StoredAllowances };
type StoredAccount = Omit<JournaledAccount, 'accounts'> & { accounts: [VenueName, StoredState][] };
/** The form of earlier versions, with one account. */
type OneAccount = {
  cash: Usd | null;
  allowances: StoredAllowances;
  readiness: Readiness & Pick<AccountState, 'armed' | 'clockSkewMs' | 'unapproved'>;
  limitState: Pick<AccountState, 'limits' | 'limitsRequired' | 'placedToday' | 'openExposure'> &
    Pick<Holdings, 'ownOrders' | 'spentBefore'>;
};
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
  if (topic === 'account') return accountOf(stored as StoredAccount | OneAccount) as JournalData[Topic];
  if (topic === 'opportunity') return opportunityOf(stored as StoredOpportunity) as JournalData[Topic];
  if (topic !== 'decision') return stored as JournalData[Topic];
  const { account, ...decision } = stored as Omit<JournalData['decision'], 'account'> & {
    account: StoredAccount | OneAccount | null;
  };
  return { ...decision, account: account && accountOf(account) } as JournalData[Topic];
}

function storedOpportunity({ aboveTrigger, ...opportunity }: JournaledOpportunity): StoredOpportunity {
  return { ...opportunity, isUp: aboveTrigger };
}

function opportunityOf({ isUp, ...opportunity }: StoredOpportunity): JournaledOpportunity {
  return { ...opportunity, aboveTrigger: isUp };
}

function storedAccount({ accounts, ...account }: JournaledAccount): StoredAccount {
  return {
    ...account,
    accounts: [...accounts].map(([venue, { allowances, ...state }]) => [
      venue,
      { ...state, allowances: allowances && [...allowances] },
    ]),
  };
}

function accountOf(stored: StoredAccount | OneAccount): JournaledAccount {
  const { accounts, ...account } = 'accounts' in stored ? stored : ofOneAccount(stored);
  return {
    ...account,
    accounts: new Map(
      accounts.map(([venue, { allowances, ...state }]) => [
        venue,
        { ...state, allowances: allowances && new Map(allowances) },
      ]),
    ),
  };
}

function ofOneAccount({ cash: balance, allowances, readiness, limitState }: OneAccount): StoredAccount {
  const { armed, clockSkewMs, unapproved, ...ready } = readiness;
  const { ownOrders, spentBefore, ...limits } = limitState;
  const sound = { armed, clockSkewMs, ...(unapproved !== undefined && { unapproved }) };
  return {
    accounts: [['polymarket', { balance, allowances, ...sound, ...limits }]],
    ...{ deskLimits: NO_LIMITS, readiness: ready, ownOrders, spentBefore },
  };
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
