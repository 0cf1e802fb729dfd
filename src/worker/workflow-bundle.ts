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
const require = createRequire(import.meta.url);
/** In an installed package, where nothing may be writable. */
const isBuilt = extname(import.meta.url) !== '.ts';
/** Beside the built files, made by the build script. */
export const builtBundle = join(sourceFolder, 'workflow-bundle.js');

/**
 * The built bundle of a package, or the cached one of a checkout. `encrypted`: for a worker with an encrypting codec. `traced`:
 * with Temporal's interceptors for OpenTelemetry, which are several times as large as the rest and therefore not built into the
 * package: bundled at the first start.
 */
export async function getWorkflowBundle({
  encrypted = false,
  traced = false,
} = {}): Promise<WorkflowBundleOption> {
  const code = traced && isBuilt ? await bundleWorkflows({ traced }) : undefined;
  const codePath = code === undefined ? await bundlePath(traced) : undefined;
  if (!encrypted && codePath !== undefined) return { codePath };
  const plain = code ?? (await readFile(codePath ?? builtBundle, 'utf8'));
  // the sandbox has neither environment nor options: its failure converter asks a global variable
  return { code: encrypted ? `globalThis.${encodesFailures} = true;${plain}` : plain };
}

async function bundlePath(traced: boolean): Promise<string> {
  if (isBuilt) return builtBundle;
  const codePath = join(cacheFolder, `workflows-${traced ? 'traced-' : ''}${await sourceDigest()}.js`);
  if (!existsSync(codePath)) await writeWorkflowBundle(codePath, { traced });
  return codePath;
}

/** Bundles the workflows into this file. Atomic, so that two workers that start at once both find a whole one. */
export async function writeWorkflowBundle(codePath: string, { traced = false } = {}): Promise<void> {
  const code = await bundleWorkflows({ traced });
  await mkdir(join(codePath, '..'), { recursive: true });
  const draft = `${codePath}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, codePath);
}

async function bundleWorkflows({ traced }: { traced: boolean }): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflowFile('index'),
    payloadConverterPath: workflowFile('payload-converter'),
    failureConverterPath: workflowFile('failure-converter'),
    ...bundlerOptions,
    // Webpack's summary is of no use to people who start a worker.
    logger: { trace() {}, debug() {}, info() {}, log() {}, warn: report, error: report },
    ...(traced && { workflowInterceptorModules: [workflowFile('trace-interceptors')] }),
  });
  return code;
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
  const sdk = require.resolve('@temporalio/workflow/package.json');
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
