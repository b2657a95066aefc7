import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorBar } from '../ui/states.tsx';
import { useInSlices } from '../ui/use-in-slices.ts';
import { errorText } from './api-error.ts';

/** As `useQuery` answers it. */
type Reading<Data> = { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown };

type LoadErrorProps = {
  of: Omit<Reading<unknown>, 'data'>;
  /** What failed: "Error loading metrics". */
  text: string;
  /** The reason goes on in the same line. */
  inline?: boolean;
};

/** Says why something could not be read, and reads it again at a press. */
export function LoadError({ of: { error, isFetching, refetch }, text, inline = false }: LoadErrorProps) {
  if (error === null) return null;
  const reason = errorText(error);
  const words = inline ? { text: `${text}: ${reason}` } : { text, detail: reason };
  return <ErrorBar {...words} onRetry={() => refetch()} retrying={isFetching} />;
}

type LoadedProps<Data> = Omit<LoadErrorProps, 'of'> & {
  of: Reading<Data>;
  /** Kept free while it is on its way. */
  height: number;
  children: (data: Data) => ReactNode;
};

/** Draws what was read once it is there; the last answer stays when another cannot be had. */
export function Loaded<Data>({ of, height, children, ...words }: LoadedProps<Data>) {
  const data = useInSlices(of.data);
  return (
    <>
      <LoadError of={of} {...words} />
      {data !== undefined && children(data)}
      {data === undefined && of.error === null && <Skeleton height={height} />}
    </>
  );
}
