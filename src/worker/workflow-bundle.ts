// The workflow code as one bundle: made at build time for the package, and in a checkout at the first start, kept under
// node_modules/.cache until a source changes. A prebuilt bundle makes a worker start at once.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type WorkflowBundleOption, bundleWorkflowCode, type BundleOptions } from '@temporalio/worker';
import { encodesFailures } from '../core/model/outer-names.ts';

const sourceFolder = fileURLToPath(new URL('..', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/holdfast', import.meta.url));
/** Beside the built files, made by the build script. */
export const builtBundle = join(sourceFolder, 'workflow-bundle.js');

/** The built bundle of a package, or the cached one of a checkout. `encrypted`: for a worker with an encrypting codec. */
export async function getWorkflowBundle({ encrypted = false } = {}): Promise<WorkflowBundleOption> {
  const codePath = await bundlePath();
  if (!encrypted) return { codePath };
  // the sandbox has neither environment nor options: its failure converter asks a global variable
  return { code: `globalThis.${encodesFailures} = true;${await readFile(codePath, 'utf8')}` };
}

async function bundlePath(): Promise<string> {
  if (extname(import.meta.url) !== '.ts') return builtBundle;
  const codePath = join(cacheFolder, `workflows-${await sourceDigest()}.js`);
  if (!existsSync(codePath)) await writeWorkflowBundle(codePath);
  return codePath;
}

/** Bundles the workflows into this file. Atomic, so that two workers that start at once both find a whole one. */
export async function writeWorkflowBundle(codePath: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflowFile('index'),
    payloadConverterPath: workflowFile('payload-converter'),
    failureConverterPath: workflowFile('failure-converter'),
    ...bundlerOptions,
    // Webpack's summary is of no use to people who start a worker.
    logger: { trace() {}, debug() {}, info() {}, log() {}, warn: report, error: report },
  });
  await mkdir(join(codePath, '..'), { recursive: true });
  const draft = `${codePath}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, codePath);
}

function workflowFile(name: string): string {
  return join(sourceFolder, 'workflows', `${name}${extname(import.meta.url)}`);
}

function report(message: string): void {
  process.stderr.write(`workflow bundle: ${message}\n`);
}

/** Over the sources that enter the bundle, the SDK that bundles them, and the options here. */
async function sourceDigest(): Promise<string> {
  const hash = createHash('sha256');
  const sdk = createRequire(import.meta.url).resolve('@temporalio/workflow/package.json');
  hash.update(await readFile(sdk));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  for (const folder of ['core', 'workflows']) {
    const names = await readdir(join(sourceFolder, folder), { recursive: true });
    for (const name of names.filter((file) => file.endsWith('.ts')).sort()) {
      hash.update(name).update(await readFile(join(sourceFolder, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * The sandbox is the worker's own engine; the SDK's default target of 2017 rewrites spreads and private fields into
 * helpers, which cost time in every turn.
 */
export const bundlerOptions: Required<Pick<BundleOptions, 'webpackConfigHook'>> = {
  webpackConfigHook(config) {
    for (const rule of config.module?.rules ?? []) {
      const options = swcOptionsOf(rule);
      if (options) options.jsc.target = 'es2024';
    }
    return config;
  },
};

type SwcOptions = { jsc: { target?: string } };

/** The options of the SDK's rule for TypeScript, which get their type here; undefined for other rules. */
function swcOptionsOf(rule: unknown): SwcOptions | undefined {
  if (typeof rule !== 'object' || rule === null || !('use' in rule)) return undefined;
  const { use } = rule;
  if (typeof use !== 'object' || use === null || !('options' in use)) return undefined;
  const { options } = use;
  return typeof options === 'object' && options !== null && 'jsc' in options
    ? (options as SwcOptions)
    : undefined;
}
