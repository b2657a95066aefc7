import { Button } from '@mantine/core';
import { useOpening } from '../../../calls/use-opening.ts';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { HeldTokens } from '../sale-rows.ts';
import type { SellHeldDialogProps } from './sell-held-dialog.tsx';

const SellHeldDialog = lazyDialog<SellHeldDialogProps>(() =>
  import('./sell-held-dialog.tsx').then((code) => code.SellHeldDialog),
);

/** `of`: what is sold, in words, which tells the button from the others on the page. */
type SellHeldButtonProps = {
  of: string;
  tokens: HeldTokens;
  instead: SellHeldDialogProps['instead'];
  isMain?: boolean;
};

/** Opens what selling shares of the portfolio would bring, to sell them together. */
export function SellHeldButton({ of: what, tokens, instead, isMain = false }: SellHeldButtonProps) {
  const { opened, opening, open, close } = useOpening();
  return (
    <>
      <Button
        size={isMain ? 'xs' : 'compact-sm'}
        variant={isMain ? 'filled' : 'default'}
        aria-label={`Sell: ${what}`}
        onClick={open}
      >
        Sell
      </Button>
      {opening > 0 && (
        <SellHeldDialog
          key={opening}
          opened={opened}
          title={`Sell: ${what}`}
          {...{ tokens, instead }}
          onClose={close}
        />
      )}
    </>
  );
}
