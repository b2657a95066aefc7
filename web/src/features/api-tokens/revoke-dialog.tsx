import { type ApiToken, revokeAnyApiToken, revokeApiToken } from '@dutchbook/contract/api-tokens.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { ConfirmedCall } from '../../forms/confirmed-call.tsx';
import { apiTokensKey } from './token-queries.ts';

type RevokeDialogProps = { opened: boolean; token: ApiToken; of: 'me' | 'any user'; onClose: () => void };

/** Asks before a script can call no more. */
export function RevokeDialog({ opened, token, of, onClose }: RevokeDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmedCall
      opened={opened}
      title="Revoke API Token"
      confirm="Revoke"
      send={() => call(of === 'me' ? revokeApiToken : revokeAnyApiToken, { params: { token_id: token.id } })}
      onDone={() => client.invalidateQueries({ queryKey: apiTokensKey })}
      meta={{ success: 'The API token was revoked.', failure: 'Failed to revoke the API token' }}
      onClose={onClose}
    >
      <p>
        Scripts that call with <strong>{token.name}</strong> are refused from now on. This cannot be undone.
      </p>
    </ConfirmedCall>
  );
}
