// How a checkout's workflow code is compiled: as little as the package's. The sandbox is the worker's own engine; the
// SDK's default target of 2017 rewrites spreads and private fields into helpers, which cost in every turn.
import type { BundleOptions } from '@temporalio/worker';

const target = 'es2024';

export const bundlerOptions: Required<Pick<BundleOptions, 'webpackConfigHook'>> = {
  webpackConfigHook(config) {
    for (const rule of config.module?.rules ?? []) {
      const options = swcOptionsOf(rule);
      if (options) options.jsc.target = target;
    }
    return config;
  },
};

type SwcOptions = { jsc: { target?: string } };

/** Those of the SDK's rule for TypeScript: the one place where they get a type. A rule without them is left alone. */
function swcOptionsOf(rule: unknown): SwcOptions | undefined {
  if (typeof rule !== 'object' || rule === null || !('use' in rule)) return undefined;
  const { use } = rule;
  if (typeof use !== 'object' || use === null || !('options' in use)) return undefined;
  const { options } = use;
  return typeof options === 'object' && options !== null && 'jsc' in options
    ? (options as SwcOptions)
    : undefined;
}
