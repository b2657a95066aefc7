import { type ApiToken, revokeAnyApiToken, revokeApiToken } from '@dutchbook/contract/api-tokens.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { apiTokensKey } from './token-queries.ts';

type RevokeDialogProps = { opened: boolean; token: ApiToken; of: 'me' | 'anybody'; onClose: () => void };

/** Asks before a script can call no more. */
export function RevokeDialog({ opened, token, of, onClose }: RevokeDialogProps) {
  const client = useQueryClient();
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(of === 'me' ? revokeApiToken : revokeAnyApiToken, { params: { token_id: token.id } }),
    onSuccess: async () => {
      // The row goes first, so that the focus does not return to it.
      await client.invalidateQueries({ queryKey: apiTokensKey });
      onClose();
    },
    meta: { success: 'The API token was revoked.', failure: 'Failed to revoke the API token' },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title="Revoke API Token"
      confirm="Revoke"
      onConfirm={start}
      pending={isPending}
      onClose={onClose}
    >
      <p>
        Scripts that call with <strong>{token.name}</strong> are refused from now on. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}
