// The workflow code as one bundle. The package has it prebuilt, so a worker starts at once. A checkout builds it at the
// first start and keeps it under node_modules/.cache until a source changes.
import { isRecord, objectOf } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { sha256Hex } from '@holdfast/stored/sha256';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type BundleOptions } from '@temporalio/worker';
import { ownVersion } from '../config/own-version.ts';
import { encodesFailures } from '@holdfast/vocabulary/outer-names';

const sourceFolder = fileURLToPath(new URL('..', import.meta.url));
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/holdfast', import.meta.url));
const require = createRequire(import.meta.url);
/** True in an installed package, where nothing may be writable. */
const isBuilt = extname(import.meta.url) !== '.ts';
/** Beside the built files, made by the build script. */
export const builtBundle = join(sourceFolder, 'workflow-bundle.js');

export type BundleSetting = {
  /** For a worker with an encrypting codec. */
  encrypted?: boolean;
  /** Includes Temporal's interceptors for OpenTelemetry, which are large: the package lacks them, the first start adds them. */
  traced?: boolean;
  /** Errors of workflow code have stacks. Otherwise only a replay has them: the SDK captures a stack for each promise. */
  stacks?: boolean;
};

export type WorkflowCode = { code: string };

/** The built bundle of a package, or the cached one of a checkout. */
export async function getWorkflowBundle(setting: BundleSetting = {}): Promise<WorkflowCode> {
  const { encrypted = false, traced = false, stacks = false } = setting;
  const plain =
    traced && isBuilt ? await bundleWorkflows({ traced }) : await readFile(await bundlePath(traced), 'utf8');
  // the sandbox has neither environment nor options, so its failure converter reads a global variable
  const flagged = encrypted ? `globalThis.${encodesFailures} = true;${plain}` : plain;
  return { code: stacks ? flagged : withoutStacks(flagged) };
}

/** Affects only the sandbox, which has its own Error; the SDK freezes it when the bundle is loaded. */
export function withoutStacks(code: string): string {
  return `Error.stackTraceLimit = 0;${code}`;
}

/** Short, because six events of every turn contain it; the SDK's default has 90 bytes. */
export function toBuildId({ code }: WorkflowCode): string {
  return `holdfast-${ownVersion()}+${sha256Hex(code).slice(0, 8)}`;
}

/** Computed once: the sources of a process do not change while it runs. */
let digest: Promise<string> | undefined;

async function bundlePath(traced: boolean): Promise<string> {
  if (isBuilt) return builtBundle;
  const codePath = join(
    cacheFolder,
    `workflows-${traced ? 'traced-' : ''}${await (digest ??= sourceDigest())}.js`,
  );
  if (!existsSync(codePath)) await writeWorkflowBundle(codePath, { traced });
  return codePath;
}

/** Bundles the workflows into this file. Atomic, so that two workers starting at once both read a whole file. */
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
    preloadModules,
    ...bundlerOptions,
    // webpack's summary is noise to people who start a worker
    logger: { trace() {}, debug() {}, info() {}, log() {}, warn: report, error: report },
    workflowInterceptorModules: present(['step-guard', traced && 'trace-interceptors']).map(workflowFile),
  });
  return code;
}

/** Modules evaluated once a worker and not once an execution. Core is pure: no module keeps state between calls. */
export const preloadModules = [
  'loop/agent-loop',
  'session/session',
  'session/requests',
  'session/queries',
  'board/task-board',
].map((name) => sourceFile('core', name));

function workflowFile(name: string): string {
  return sourceFile('workflows', name);
}

function sourceFile(folder: string, name: string): string {
  return join(sourceFolder, folder, `${name}${extname(import.meta.url)}`);
}

function report(message: string): void {
  process.stderr.write(`workflow bundle: ${message}\n`);
}

/** Packages that the workflows import; a test of the bundle finds any other. */
export const bundledPackages = ['base', 'report', 'view', 'vocabulary'];

/** Covers the sources in the bundle, the SDK that bundles them, and the options here. */
async function sourceDigest(): Promise<string> {
  const hash = createHash('sha256');
  const sdk = require.resolve('@temporalio/workflow/package.json');
  hash.update(await readFile(sdk));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  const packages = bundledPackages.map((name) => `../packages/${name}/src`);
  for (const folder of ['core', 'workflows', ...packages]) {
    const names = await readdir(join(sourceFolder, folder), { recursive: true });
    for (const name of names.filter((file) => file.endsWith('.ts')).sort()) {
      hash.update(name).update(await readFile(join(sourceFolder, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** The sandbox is the worker's engine; the SDK's target of 2017 adds helpers that cost time in every turn. */
export const bundlerOptions: Required<Pick<BundleOptions, 'webpackConfigHook'>> = {
  webpackConfigHook(config) {
    // lines for stacks; the sources themselves would be more than half of the bundle. Built files have a statement a line, so they
    // need no columns, which would be a third of it.
    config.devtool = isBuilt ? 'inline-nosources-cheap-module-source-map' : 'inline-nosources-source-map';
    // a banner over each module, with what it exports
    config.output = { ...config.output, pathinfo: false };
    for (const rule of config.module?.rules ?? []) {
      const options = swcOptionsOf(rule);
      if (!options) continue;
      options.jsc.target = 'es2024';
      // a fifth of the bundle is comments and blanks; names stay, for stacks
      options.minify = true;
      options.jsc.minify = { compress: false, mangle: false, format: { comments: false } };
    }
    return config;
  },
};

type SwcOptions = { minify?: boolean; jsc: { target?: string; minify?: object } };
const isSwcOptions = objectOf<SwcOptions>({ jsc: isRecord });

/** The options of the SDK's rule for TypeScript, with their type; undefined for other rules. */
function swcOptionsOf(rule: unknown): SwcOptions | undefined {
  const use = isRecord(rule) ? rule['use'] : undefined;
  const options: unknown = isRecord(use) ? use['options'] : undefined;
  return isSwcOptions(options) ? options : undefined;
}
