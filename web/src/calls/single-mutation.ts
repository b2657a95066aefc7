import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

type SingleMutation<Reply, Input> = Omit<UseMutationOptions<Reply, Error, Input>, 'onSettled'>;

/**
 * A mutation that is not started again while it is on its way. A button is disabled only by the next paint, and a double
 * click is faster than that.
 */
export function useSingleMutation<Reply, Input = void>(
  options: SingleMutation<Reply, Input>,
): { start: (input: Input) => void; isPending: boolean; error: Error | null } {
  const onItsWay = useRef(false);
  const { mutate, isPending, error } = useMutation({
    ...options,
    onSettled: () => {
      onItsWay.current = false;
    },
  });
  const start = (input: Input) => {
    if (onItsWay.current) return;
    onItsWay.current = true;
    mutate(input);
  };
  return { start, isPending, error };
}
