// Asks only whether something worked: its error says nothing more. Pure.

export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
