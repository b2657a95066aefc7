/**
 * Does `work` on each item while the next ones are being read, on so many at a time, and yields what comes of it in the order of the items.
 * A failure is thrown in its place, behind all that came before it.
 */
export async function* inOrder<From, To>(
  source: AsyncGenerator<From>,
  work: (item: From) => Promise<To>,
  atOnce: number,
): AsyncGenerator<To> {
  const begin = async (): Promise<IteratorResult<To, null>> => {
    const { done, value } = await source.next();
    return done ? { done: true, value: null } : { done: false, value: await work(value) };
  };
  const underWay: Promise<IteratorResult<To, null>>[] = [];
  const add = () => {
    const one = begin();
    // Thrown when its page is due, which may be never.
    one.catch(() => {});
    underWay.push(one);
  };
  try {
    while (underWay.length < atOnce) add();
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) {
      const { done, value } = await first;
      if (done) return;
      add();
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
