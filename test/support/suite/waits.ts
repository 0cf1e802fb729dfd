// What a test process waits for at this moment, for a test that runs out of time and for a run that hangs.
import { runningChildren } from './children.ts';

type Wait = { what: string; since: number; stack: string };

const waits = new Set<Wait>();

/** Notes the wait for as long as `work` takes. */
export async function waitingFor<T>(what: string, work: () => Promise<T>): Promise<T> {
  const here = new Error(what);
  const wait = { what, since: performance.now(), stack: here.stack ?? '' };
  waits.add(wait);
  try {
    return await work();
  } finally {
    waits.delete(wait);
  }
}

/** One paragraph: waits with their stacks, children that run, and everything else that keeps the process alive. */
export function describeWaits(test = 'no test'): string {
  const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(0);
  const resources = Map.groupBy(process.getActiveResourcesInfo(), (name) => name);
  return [
    `process ${process.pid}, in ${test}, waits for`,
    ...[...waits].map(({ what, since, stack }) => `- ${what}, for ${seconds(since)} s\n${callers(stack)}`),
    ...runningChildren().map(({ pid, command }) => `- child ${pid}: ${command.slice(0, 300)}`),
    `- ${[...resources].map(([name, all]) => `${name} x ${all.length}`).join(', ')}`,
  ].join('\n');
}

/** The frames of test code: the first is that of the helper that waits. */
function callers(stack: string): string {
  const frames = stack.split('\n').slice(2);
  return frames.filter((frame) => !frame.includes('node_modules')).join('\n');
}
