// `npm run build`: JavaScript with types into dist, and the workflow bundle made once, so that an installed
// worker starts without a bundler. Run by `npm pack` too.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sayWhile } from '../packages/demo/src/say-while.ts';
import { readEntries } from './reference/entries.ts';
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

// the built files find no package by its name: what they import is a path in dist, which has the folders of the sources
for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) {
  const code = readFileSync(join(dist, file), 'utf8');
  const withPaths = code.replaceAll(/(?<=['"])@holdfast\/[\w./-]+(?=['"])/g, (name) => {
    const source = fileURLToPath(import.meta.resolve(name));
    const path = relative(join(projectRoot, dirname(file)), source).replace(/\.ts$/, '.js');
    return path.startsWith('.') ? path : `./${path}`;
  });
  if (withPaths !== code) writeFileSync(join(dist, file), withPaths);
}

removeUnreachableTypes();

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

/** Nobody can import the other declarations, which are five of six. */
function removeUnreachableTypes(): void {
  const entries = [...readEntries(projectRoot).values()].map((file) =>
    join('dist', file.replace(/\.ts$/, '.d.ts')),
  );
  const options = ['--listFilesOnly', '--module', 'nodenext', '--types', 'node'];
  const listed = execFileSync('tsc', ['--ignoreConfig', ...options, ...entries], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  const reachable = new Set(listed.split('\n'));
  for (const file of globSync('**/*.d.ts', { cwd: dist }).map((name) => join(dist, name)))
    if (!reachable.has(file)) rmSync(file);
}
