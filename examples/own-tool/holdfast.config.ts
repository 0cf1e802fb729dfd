// A tool of your own: one call of defineTool, named in `tools`.
import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { defineConfig, defineTool } from '../../src/config/define-config.ts';

const diskUsage = defineTool({
  name: 'disk_usage',
  description: 'Shows how full the file system of a path is.',
  input: z.strictObject({ path: z.string().default('/').describe('Any path on it.') }),
  effect: 'read',
  async run({ path }) {
    const { blocks, bfree, bsize } = await statfs(path);
    const percent = Math.round((1 - bfree / blocks) * 100);
    return { text: `${path}: ${percent} % of ${Math.round((blocks * bsize) / 1e9)} GB used` };
  },
});

export default defineConfig({
  tools: [diskUsage],
  // in place of the built-in agent, which ends with a report: every tool but that one
  agents: { investigator: { instructions: 'Answer in one sentence.', tools: ['*', '!report'] } },
  script: 'script.yaml',
});
