// A vitest reporter for the end of a run: skipped tests with their reasons, everything that was started, the slowest files. It ends a
// run that hangs.
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { type HangWatch, watchForHang } from './hang-watch.ts';
import { describeSkipped } from './skipped.ts';
import { describeStarted, type Started, sumStarted } from './started.ts';

const shownFiles = 10;

export default class SuiteReporter implements Reporter {
  private watch: HangWatch | undefined;
  private vitest: Vitest | undefined;
  private readonly running = new Set<TestModule>();
  private readonly patienceMs: number;

  /** `patienceMs`: default 60 s, which is longer than any test takes that runs alone. */
  constructor({ patienceMs = 60_000 }: { patienceMs?: number } = {}) {
    this.patienceMs = patienceMs;
  }

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunStart(): void {
    this.watch?.stop();
    this.watch = watchForHang(this.patienceMs, () => {
      for (const { relativeModuleId } of this.running) console.error(`  has not ended: ${relativeModuleId}`);
      void this.vitest?.cancelCurrentRun('test-failure');
    });
  }

  onTestModuleStart(module: TestModule): void {
    this.watch?.progress();
    this.running.add(module);
  }

  onTestModuleEnd(module: TestModule): void {
    this.watch?.progress();
    this.running.delete(module);
  }

  readonly onTestCaseReady = (): void => this.watch?.progress();
  readonly onTestCaseResult = (): void => this.watch?.progress();
  readonly onHookStart = (): void => this.watch?.progress();
  readonly onHookEnd = (): void => this.watch?.progress();

  onTestRunEnd(modules: readonly TestModule[]): void {
    this.watch?.stop();
    const titles = modules.flatMap(({ children }) =>
      [...children.allTests('skipped')].map(({ fullName }) => fullName),
    );
    const weights = modules.map(weigh);
    console.log(`\n${describeStarted(sumStarted(weights.map(({ started }) => started)))}`);
    if (modules.length > shownFiles) console.log(`Slowest files:\n${slowest(weights).join('\n')}`);
    if (titles.length > 0) console.log(describeSkipped(titles));
  }
}

type Weight = { file: string; seconds: number; started: Started };

function weigh(module: TestModule): Weight {
  const nothing: Started = { workers: 0, processes: {}, ownCpu: 0, childCpu: 0 };
  return {
    file: module.relativeModuleId,
    seconds: module.diagnostic().duration / 1_000,
    started: module.meta().started ?? nothing,
  };
}

function slowest(weights: readonly Weight[]): string[] {
  return weights
    .toSorted((left, right) => right.seconds - left.seconds)
    .slice(0, shownFiles)
    .map(({ file, seconds, started: { ownCpu, childCpu } }) => {
      const cpu = `CPU ${ownCpu.toFixed(1)} s, children ${childCpu.toFixed(1)} s`;
      return `  ${seconds.toFixed(0).padStart(4)} s  ${file} (${cpu})`;
    });
}
