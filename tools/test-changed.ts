// `npm run test:changed`: the tests of `npm test` that a change touches, by the imports of the test files and, for what is read and not
// imported, by the table below. The change is all that differs from HEAD, or from the commit that is named: `-- main`.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { bundledPackages } from '../src/worker/workflow-bundle.ts';

const packages = bundledPackages.map((name) => `packages/${name}/src`).join();
/** Sources in the workflow bundle. */
const bundled = `{src/core,src/workflows,${packages}}/**`;

/** Files that tests read or bundle, and those tests. */
const readBy: [changed: string, tests: string][] = [
  [bundled, 'test/{replay,workflows}/**/*.test.ts'],
  [bundled, 'test/house/bundle.test.ts'],
  ['packages/**', 'test/house/packages.test.ts'],
  ['{src,packages}/**', 'test/house/{comments,named-files,scheduled-activities}.test.ts'],
  ['{*.md,llms.txt,docs/**,examples/**}', 'test/{docs,reference}/**/*.test.ts'],
  ['docs/behaviours.md', 'test/house/behaviours.test.ts'],
  ['catalog/agents/**', 'test/{worker,core/agent}/**/*.test.ts'],
  ['catalog/toolsets/**', 'test/{activities/toolsets,worker/tool-sources}/**/*.test.ts'],
  ['catalog/mcp/**', 'test/{activities/mcp,worker/tool-sources}/**/*.test.ts'],
  ['catalog/destinations/**', 'test/activities/delivery/**/*.test.ts'],
  ['catalog/templates/starter/**', 'test/cli/init.test.ts'],
  ['catalog/templates/gateway.html', 'test/gateway/front-page.test.ts'],
  ['catalog/schemas/**', 'test/reference/**/*.test.ts'],
  ['test/replay/histories/**', 'test/replay/**/*.test.ts'],
];

function git(...args: string[]): string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

const [base = 'HEAD'] = process.argv.slice(2);
const changed = [
  // also what was removed: a link to it is dead
  ...git('diff', '--name-only', base),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const tests = readBy
  .filter(([pattern]) => changed.some((file) => matchesGlob(file, pattern)))
  .flatMap(([, pattern]) => globSync(pattern));
const code = changed.filter((file) => /\.[jt]s$/.test(file) && existsSync(file));
const files = [...new Set([...code, ...tests])];
if (files.length === 0) {
  console.log(`Nothing that a test reads differs from ${base}.`);
} else {
  const projects = ['unit', 'workflows', 'replay'].map((name) => `--project=${name}`);
  const { status } = spawnSync('vitest', ['related', '--run', ...projects, ...files], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
