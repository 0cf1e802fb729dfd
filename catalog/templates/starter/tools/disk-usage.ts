// A tool of your own. The model reads its name, its description and its input; `run` is the work.
import { statfs } from 'node:fs/promises';
import { defineTool } from 'holdfast';
import { z } from 'zod';

export const diskUsage = defineTool({
  name: 'disk_usage',
  description: 'Shows how full the file system of a path is.',
  input: z.strictObject({ path: z.string().default('/').describe('Any path on it.') }),
  // it changes nothing, so it runs without asking, and again after a lost worker
  effect: 'read',
  async run({ path }) {
    const { blocks, bfree, bsize } = await statfs(path);
    const percent = Math.round((1 - bfree / blocks) * 100);
    return { text: `${path}: ${percent} % of ${Math.round((blocks * bsize) / 1e9)} GB used` };
  },
});
