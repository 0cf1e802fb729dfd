// Bundle of the memory measurement: both sides' workflows in one, so that they share their code's weight, and a
// way to collect garbage in the thread that holds them.
export { agentSession } from '../src/workflows/index.ts';
export { bareAgent } from './bare-workflow.ts';

/** Node starts with --expose-gc, which puts `gc` into every context. False where it did not. */
export async function collectGarbage(): Promise<boolean> {
  globalThis.gc?.();
  return globalThis.gc !== undefined;
}
