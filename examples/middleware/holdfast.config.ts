// Three hooks that go around a run: known alerts are answered at once, the day goes into each request, and an answer that
// names no cause is sent back.
import { z } from 'zod';
import { defineConfig, defineHook } from '../../src/config/define-config.ts';

const known = defineHook({
  name: 'known',
  params: z.strictObject({ alert: z.string(), answer: z.string() }),
  runStart: ({ task }, { params }) => (task.includes(params.alert) ? { answer: params.answer } : undefined),
});

const weekday = defineHook({
  name: 'weekday',
  aroundModelCall: (request, next) =>
    next({ ...request, systemPrompt: `${request.systemPrompt}\n\nDeploys are on Tuesdays.` }),
});

const cause = defineHook({
  name: 'cause',
  runEnd: ({ answer }) => (answer.includes('because') ? undefined : { retry: 'Say the cause.' }),
});

export default defineConfig({
  hooks: [known, weekday, cause],
  agents: {
    'on-call': {
      instructions: 'You answer for the team on call.',
      tools: [],
      hooks: [
        {
          name: 'known',
          params: {
            alert: 'DiskFull',
            answer: 'Known: the disk is full because the log rotation is broken, see OPS-7.',
          },
        },
        { name: 'weekday' },
        { name: 'cause' },
      ],
    },
  },
  script: 'script.yaml',
});
