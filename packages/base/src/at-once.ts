// Work on many items, a few of them at once. Pure.

/** The results in the order of the items. Rejects with the first failure; what has begun ends by itself. */
export async function eachAtOnce<T, R>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const queue = [...items].entries();
  const results: R[] = [];
  const workNext = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: most }, workNext));
  return results;
}
