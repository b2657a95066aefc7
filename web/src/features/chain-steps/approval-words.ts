import type { Approval } from '@dutchbook/contract/approvals.ts';

export const PURPOSE_MEANING: Record<Approval['purpose'], string> = {
  trade: 'Orders settle by it',
  conversion: 'Shares become dollars by it',
  retired: 'The venue uses it no more',
};

const NEEDED: Record<Approval['purpose'], string> = {
  trade: 'Without it no order settles.',
  conversion: 'Without it no shares are converted into dollars or redeemed.',
  retired: 'Nothing needs it any more.',
};

/** What is wrong comes first; among the others it stays as the venue has it. */
export function problemsFirst<Row extends Pick<Approval, 'problem'>>(approvals: readonly Row[]): Row[] {
  return [true, false].flatMap((isWrong) => approvals.filter(({ problem }) => (problem !== null) === isWrong));
}

type ApprovalChange = { is_allowed: boolean; action: 'Allow' | 'Revoke'; question: string };

/** The one thing that can be done with it; nothing with a contract that is retired and may move nothing. */
export function changeOf({ is_allowed, asset, name, purpose }: Approval): ApprovalChange | undefined {
  const what = asset === 'cash' ? 'the dollars' : 'the shares';
  if (is_allowed)
    return {
      is_allowed: false,
      action: 'Revoke',
      question: `The ${name} may then no longer move ${what} of the account. ${NEEDED[purpose]}`,
    };
  if (purpose === 'retired') return undefined;
  return {
    is_allowed: true,
    action: 'Allow',
    question: `The ${name} may then move ${what} of the account. ${NEEDED[purpose]}`,
  };
}
