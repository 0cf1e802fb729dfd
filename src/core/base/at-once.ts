// Work on many items, a few of them at once. Pure.

/** Rejects with the first failure; what has begun ends by itself. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items].values();
  const workNext = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: most }, workNext));
}
