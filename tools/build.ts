// `npm run build`: JavaScript with types into dist, and the workflow bundle made once, so that an installed
// worker starts without a bundler. Run by `npm pack` too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sayWhile } from '../packages/demo/src/say-while.ts';
import type * as WorkflowBundle from '../src/worker/workflow-bundle.ts';

const projectRoot = resolve(import.meta.dirname, '..');
const dist = join(projectRoot, 'dist');

// standard output belongs to "npm pack"
const { stderr } = process;
const place = {
  output: {
    width: stderr.isTTY ? stderr.columns : undefined,
    say: (line: string) => void stderr.write(`${line}\n`),
    divert: () => () => undefined,
  },
  write: (text: string) => stderr.write(text),
};

rmSync(dist, { recursive: true, force: true });
/** Comments are for readers of types and sources: they would be a tenth of the package. */
const emits = [['--emitDeclarationOnly'], ['--declaration', 'false', '--removeComments', '--noCheck']];
const compiling = Promise.all(
  emits.map(async (options) => {
    const tsc = spawn('tsc', ['-p', 'tsconfig.build.json', ...options], {
      cwd: projectRoot,
      stdio: 'inherit',
    });
    const [status] = (await once(tsc, 'exit')) as [number | null];
    if (status !== 0) throw new Error(`tsc ended with ${status}: expected 0. Run it as "npm run build".`);
  }),
);
await sayWhile('compiling the package', compiling, place);

// files that the demo reads beside its code
for (const folder of ['packages/demo/src', 'examples/team'])
  cpSync(join(projectRoot, folder), join(dist, folder), {
    recursive: true,
    filter: (source) => !/(?:\.ts|README\.md)$/.test(source),
  });

// the built module bundles the built workflows
const bundler: typeof WorkflowBundle = await import(
  pathToFileURL(join(dist, 'src/worker/workflow-bundle.js')).href
);
await sayWhile('bundling the workflows', bundler.writeWorkflowBundle(bundler.builtBundle), place);
