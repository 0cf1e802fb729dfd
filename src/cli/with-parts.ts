// The parts of a config, for commands that look at them. A start of the program does not load them.
import type { Config } from '../config/config.ts';
import type { Parts } from '../worker/parts.ts';

/** Closes the parts when the work has ended. */
export async function withParts<T>(config: Config, work: (parts: Parts) => T | Promise<T>): Promise<T> {
  const { collectParts } = await import('../worker/parts.ts');
  const parts = await collectParts(config);
  try {
    return await work(parts);
  } finally {
    await parts.close();
  }
}
