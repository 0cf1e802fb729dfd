// Builds a workflow bundle as the worker does and tells what is in it.
import { relative } from 'node:path';
import { bundleWorkflowCode, type BundleOptions } from '@temporalio/worker';
import { bundlerOptions } from '../../src/worker/workflow-bundle.ts';
import { projectRoot } from '../support/project-root.ts';

type WebpackConfiguration = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];
type Plugin = Extract<NonNullable<WebpackConfiguration['plugins']>[number], { apply: unknown }>;

export type BundleContents = {
  /** Paths of the project's own files, relative to its root. */
  ownFiles: string[];
  /** Names of npm packages, without their version or path. */
  packages: string[];
  /** Size of the code that every worker loads, without its source map. */
  codeBytes: number;
  /** The compiler's helpers for what an older engine would lack. */
  helpers: string[];
};

export async function readBundle(
  workflowsPath: string,
  converters: Pick<BundleOptions, 'payloadConverterPath' | 'failureConverterPath'> = {},
): Promise<BundleContents> {
  const paths = new Set<string>();
  const collect: Plugin = {
    apply(compiler) {
      compiler.hooks.compilation.tap('collect', (compilation) => {
        compilation.hooks.succeedModule.tap('collect', (module) => {
          const path = module.nameForCondition();
          if (path !== null) paths.add(path);
        });
      });
    },
  };
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    ...converters,
    logger: silent,
    webpackConfigHook: (config) =>
      bundlerOptions.webpackConfigHook({ ...config, plugins: [...(config.plugins ?? []), collect] }),
  });
  const files = [...paths];
  const packages = files.flatMap((path) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    ownFiles: files
      .filter((path) => !path.includes('/node_modules/'))
      .map((path) => relative(projectRoot, path)),
    packages: [...new Set(packages)].toSorted(),
    helpers: [...new Set(code.match(/\b_(?:object_spread|class_private_field)\w*/g))],
    codeBytes: Buffer.byteLength(code.replace(/\/\/# sourceMappingURL=.*$/m, '')),
  };
}

const quiet = () => undefined;
const silent: NonNullable<BundleOptions['logger']> = {
  log: quiet,
  trace: quiet,
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
};
